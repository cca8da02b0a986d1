#!/usr/bin/env bash
# Starts a Docker Engine of our own and prints the address of its socket; called again, prints that of the running one.
# Needs root, and Debian's packages where no dockerd is installed. Non-zero with the reason where it cannot be done.
set -euo pipefail

STATE=${RLVR_GYM_DOCKER_DIR:-/var/lib/rlvr_gym_docker}
SOCKET=$STATE/docker.sock
LOG=$STATE/dockerd.log
GROUP=$(basename "$STATE")

refuse() {
    echo "start_docker.sh: $*" >&2
    exit 1
}

answers() {
    python3 - "$SOCKET" 2>/dev/null <<'PYTHON'
import socket, sys
with socket.socket(socket.AF_UNIX) as engine:
    engine.settimeout(5)
    engine.connect(sys.argv[1])
    engine.sendall(b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n")
    sys.exit(b" 200 " not in engine.recv(64))
PYTHON
}

if answers; then
    echo "unix://$SOCKET"
    exit 0
fi

[ "$(uname -s)" = Linux ] || refuse "an engine needs Linux"
[ "$(id -u)" = 0 ] || refuse "only root can start an engine"
if ! command -v dockerd >/dev/null; then
    command -v apt-get >/dev/null || refuse "dockerd is not installed, and there is no apt-get to install it with"
    # A source that does not answer is no reason: Debian's own may still have the package.
    timeout 180 apt-get update -qq >&2 || true
    # Installing must not start the engine: it would change the machine's firewall.
    DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 timeout 300 \
        apt-get install -y -qq --no-install-recommends docker.io >&2 </dev/null ||
        refuse "apt-get could not install docker.io"
    command -v dockerd >/dev/null || refuse "apt-get has installed docker.io, but there is no dockerd on PATH ($PATH)"
fi

mkdir -p "$STATE"
chmod 700 "$STATE"
# Two calls at once: the second waits, and finds the engine of the first.
exec 9>"$STATE/lock"
flock 9
if answers; then
    echo "unix://$SOCKET"
    exit 0
fi
# An engine that was killed leaves a containerd and mounts, at which the next one stumbles.
"$(dirname "$0")/stop_docker.sh" >&2
# No bridge and no firewall rules: sandboxes have no network, and nothing stays behind on the machine.
setsid dockerd --data-root "$STATE/data" --exec-root "$STATE/exec" --pidfile "$STATE/dockerd.pid" \
    --host "unix://$SOCKET" --cgroup-parent "/$GROUP" \
    --iptables=false --ip6tables=false --bridge=none >"$LOG" 2>&1 </dev/null 9>&- &
ENGINE=$!

for _ in $(seq 300); do
    if answers; then
        echo "unix://$SOCKET"
        exit 0
    fi
    kill -0 "$ENGINE" 2>/dev/null || break
    sleep 0.2
done
kill "$ENGINE" 2>/dev/null || true
refuse "dockerd did not come up: $(grep -E 'level=(fatal|error)|failed' "$LOG" | tail -n 1)"
