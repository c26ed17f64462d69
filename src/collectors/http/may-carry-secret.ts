/** Over plain HTTP a secret may only be sent to this machine. */
export function mayCarrySecret({ protocol, hostname }: URL) {
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
