#!/usr/bin/env bash
# Stops the engine that start_docker.sh started, with all its containers; --purge also removes its images and folder.
set -euo pipefail

STATE=${RLVR_GYM_DOCKER_DIR:-/var/lib/rlvr_gym_docker}
GROUP=$(basename "$STATE")

PID=$(cat "$STATE/dockerd.pid" 2>/dev/null || true)
if [ -n "$PID" ] && [ "$(cat "/proc/$PID/comm" 2>/dev/null)" = dockerd ]; then
    kill "$PID"
    for _ in $(seq 150); do
        [ -d "/proc/$PID" ] || break
        sleep 0.2
    done
    # It ends its containers and its containerd first; a kill would leave both.
    [ ! -d "/proc/$PID" ] || { echo "stop_docker.sh: dockerd ($PID) does not end" >&2; exit 1; }
fi

# What an engine leaves on purpose: mounts of its folder and the parents of its control groups.
awk -v state="$STATE/" 'index($5, state) == 1 { print $5 }' /proc/self/mountinfo | sort -r | xargs -r umount
find /sys/fs/cgroup -depth -type d \( -name "$GROUP" -o -path "*/$GROUP/*" \) -exec rmdir {} + 2>/dev/null || true
if [ "${1:-}" = --purge ]; then
    rm -rf "$STATE"
fi
