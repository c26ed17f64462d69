#!/bin/sh
# Before removal: dpkg passes "remove", rpm the number of versions that stay. An upgrade stops nothing.
set -e
case "${1:-}" in
  remove | 0)
    if [ -d /run/systemd/system ]; then
      systemctl disable --now relt-agent.service relt-server.service
    fi
    ;;
esac
