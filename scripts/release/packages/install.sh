#!/bin/sh
# After installation or upgrade. Services are not enabled: the administrator does that.
set -e
if ! getent passwd relt > /dev/null; then
  useradd --system --user-group --home-dir /var/lib/relt --no-create-home --shell /usr/sbin/nologin relt
fi
install -d -m 0700 -o relt -g relt /var/lib/relt
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart relt-agent.service relt-server.service
fi
