"""Ways to talk to anybody outside."""

NETWORK = {
    "tcp_to_the_host": """
for address in ("127.0.0.1", *HOST["addresses"]):
    refused(address, lambda: socket.create_connection((address, HOST["port"]), timeout=2))
""",
    "tcp_to_the_world": """
for address in ("1.1.1.1", "8.8.8.8", "169.254.169.254"):
    refused(address, lambda: socket.create_connection((address, 80), timeout=2))
""",
    "tcp_over_ipv6": """
refused("ipv6", lambda: socket.create_connection(("2606:4700:4700::1111", 80), timeout=2))
""",
    "udp_to_the_world": """
def send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        return s.sendto(b"secret", ("8.8.8.8", 53))
refused("udp", send)
""",
    "dns": """
refused("dns", lambda: socket.getaddrinfo("example.com", 80))
""",
    "vsock": """
refused("vsock", lambda: socket.socket(40, socket.SOCK_STREAM).connect((2, 1024)))
refused("vsock socket", lambda: socket.socket(40, socket.SOCK_STREAM))
""",
    "netlink": """
refused("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12))
""",
    "packet_sockets": """
refused("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3))
""",
    "raw_sockets": """
refused("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
""",
    "crypto_sockets": """
refused("alg", lambda: socket.socket(38, socket.SOCK_SEQPACKET).bind(("hash", "sha256")))
""",
    "rare_socket_families": """
for family in (4, 5, 9, 21, 23, 29, 30, 31, 35, 36, 37, 39, 41, 43, 44):
    refused(f"family {family}", lambda: socket.socket(family, socket.SOCK_DGRAM))
""",
    "abstract_socket_of_the_host": """
def connect():
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("\\0" + HOST["abstract"])
refused("abstract", connect)
""",
    "path_socket_of_the_host": """
def connect():
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(HOST["socket"])
refused("socket", connect)
for path in ("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/dbus/system_bus_socket"):
    refused(path, lambda: os.stat(path))
""",
    "reconfiguring_the_network": """
import fcntl, struct
def up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sH14x", b"lo", 0))
refused("interface down", up)
names = [name for _, name in socket.if_nameindex()] if hasattr(socket, "nothing") else os.popen("cat /proc/net/dev").read()
if any(word in names for word in ("eth", "ens", "enp", "docker", "wlan")):
    print("ESCAPED interfaces", names)
""",
}
