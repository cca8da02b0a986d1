"""Code that runs inside a sandbox, beside untrusted code."""
