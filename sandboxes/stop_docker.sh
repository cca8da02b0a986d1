#!/usr/bin/env bash
# Stops the engine that start_docker.sh started, with all its containers; --purge also removes its images and folder.
# What a killed engine left behind goes too: its containerd, the shims that hold containers, and what runs in them.
set -euo pipefail

STATE=${RLVR_GYM_DOCKER_DIR:-/var/lib/rlvr_gym_docker}
GROUP=$(basename "$STATE")

# Processes of this engine: its own programs name files in its folder, and its containers are in its control groups.
programs() {
    # By a file, so that the search does not find itself.
    grep -lsaF -f <(echo "$STATE/exec/") /proc/[0-9]*/cmdline | cut -d / -f 3 || true
}
contained() {
    find /sys/fs/cgroup -path "*/$GROUP/*" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -u
}
gone_within() {
    for _ in $(seq "$2"); do
        [ -d "/proc/$1" ] || return 0
        sleep 0.1
    done
    return 1
}

PID=$(cat "$STATE/dockerd.pid" 2>/dev/null || true)
if [ -n "$PID" ] && [ "$(cat "/proc/$PID/comm" 2>/dev/null)" = dockerd ]; then
    # It ends its containers and its containerd first.
    kill "$PID" 2>/dev/null || true
    gone_within "$PID" 300 || kill -9 "$PID" 2>/dev/null || true
fi
for _ in 1 2 3 4 5; do
    LEFT=$(programs; contained)
    [ -n "$LEFT" ] || break
    kill -9 $LEFT 2>/dev/null || true
    sleep 0.2
done
rm -f "$STATE/dockerd.pid" "$STATE/docker.sock"

# What an engine leaves on purpose: mounts of its folder and the parents of its control groups.
awk -v state="$STATE/" 'index($5, state) == 1 { print $5 }' /proc/self/mountinfo | sort -r | xargs -r umount -l
find /sys/fs/cgroup -depth -type d \( -name "$GROUP" -o -path "*/$GROUP/*" \) -exec rmdir {} + 2>/dev/null || true
if [ "${1:-}" = --purge ]; then
    rm -rf --one-file-system "$STATE"
fi
