#!/usr/bin/env bash
# Makes the image of the runtime `docker` without a registry: build_image.sh [--installed] [NAME].
#
# A minimal Debian with Python and git by debootstrap, from the mirror that this machine's apt uses (two minutes); or,
# with --installed, the files of the same packages as they are installed on this Debian machine (seconds, no network).
# The engine is that of DOCKER_HOST, or the usual socket. Does nothing when the image is there.
set -euo pipefail

PACKAGES=python3,git,procps,ca-certificates,patch,diffutils,mawk
HOW=debootstrap
if [ "${1:-}" = --installed ]; then
    HOW=installed
    shift
fi
NAME=${1:-rlvr-gym-sandbox:latest}

refuse() {
    echo "build_image.sh: $*" >&2
    exit 1
}

command -v docker >/dev/null || refuse "the program docker is needed to import an image"
if docker image inspect "$NAME" >/dev/null 2>&1; then
    exit 0
fi

WORK=$(mktemp -d "${TMPDIR:-/tmp}/rlvr_gym_image.XXXXXX")
trap 'rm -rf --one-file-system "$WORK"' EXIT
ROOT=$WORK/root

by_debootstrap() {
    [ "$(id -u)" = 0 ] || refuse "debootstrap needs root"
    command -v debootstrap >/dev/null ||
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap >&2 </dev/null ||
        refuse "debootstrap is not installed, and apt-get could not install it"
    RELEASE=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    MIRROR=$(apt-get indextargets --format '$(SITE)' "Codename: $RELEASE" 'Created-By: Packages' | head -n 1)
    [ -n "$MIRROR" ] || refuse "apt has no source for the release '$RELEASE'"
    debootstrap --variant=minbase --include="$PACKAGES" "$RELEASE" "$ROOT" "$MIRROR" >&2
    rm -rf "$ROOT"/var/cache/apt/* "$ROOT"/var/lib/apt/lists/* "$ROOT"/usr/share/doc/* "$ROOT"/usr/share/man/* \
        "$ROOT"/usr/share/locale/* "$ROOT"/dev/*
}

from_installed_packages() {
    command -v dpkg-query >/dev/null || refuse "--installed copies Debian packages, and this machine has none"
    dpkg-query -W ${PACKAGES//,/ } >/dev/null || refuse "--installed needs the packages $PACKAGES on this machine"
    # What is essential to every Debian, and what the packages depend on, as far as it is installed.
    NAMES=$(
        {
            dpkg-query -W -f '${Essential} ${Package}\n' | sed -n 's/^yes //p'
            tr , '\n' <<<"$PACKAGES"
        } | xargs apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts \
            --no-breaks --no-replaces --no-enhances | grep '^[a-z0-9]' | sort -u
    )
    mkdir -p "$ROOT"/{etc,proc,sys,dev,run,tmp,var/tmp,home}
    mkdir -m 700 "$ROOT/root"
    # On a merged /usr some packages still name /bin and /lib: links first, so that their files land behind them.
    for folder in bin sbin lib lib32 lib64 libx32; do
        [ ! -L "/$folder" ] || ln -s "$(readlink "/$folder")" "$ROOT/$folder"
        [ ! -L "/$folder" ] || mkdir -p "$ROOT/$(readlink "/$folder")"
    done
    # Nothing of /etc: it holds this machine's secrets. Packages that are not here have no list, which is no error.
    for name in $NAMES; do dpkg-query -L "$name" 2>/dev/null || true; done |
        grep -vE '^/(etc|usr/share/(doc|man|locale|info|lintian))(/|$)' | grep -E '^/(usr|s?bin|lib[0-9x]*)/' | sort -u |
        while read -r path; do if [ -f "$path" ] || [ -L "$path" ]; then echo "$path"; fi; done |
        tar -C / --no-recursion --files-from <(sed 's,^/,,') --ignore-failed-read -c |
        tar -C "$ROOT" -x --keep-directory-symlink
    # No package lists what its installation compiles, and without that every start of Python compiles again.
    find /usr/lib/python3.* -name '*.pyc' -path '*/__pycache__/*' |
        tar -C / --files-from <(sed 's,^/,,') -c | tar -C "$ROOT" -x --keep-directory-symlink
    cp -a /etc/alternatives "$ROOT/etc/"
    mkdir -p "$ROOT/etc/ssl" && cp -rL /etc/ssl/certs "$ROOT/etc/ssl/"
    printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n' >"$ROOT/etc/passwd"
    printf 'root:x:0:\nnogroup:x:65534:\n' >"$ROOT/etc/group"
    printf 'passwd: files\ngroup: files\nhosts: files dns\n' >"$ROOT/etc/nsswitch.conf"
    ldconfig -r "$ROOT"
    [ -x "$ROOT/usr/bin/python3" ] || refuse "--installed needs Debian's own python3 on this machine"
}

if [ "$HOW" = installed ]; then from_installed_packages; else by_debootstrap; fi
tar -C "$ROOT" --numeric-owner -c . | docker import --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "$NAME" >/dev/null
docker image inspect --format 'made {{index .RepoTags 0}}, {{.Size}} bytes' "$NAME" >&2
