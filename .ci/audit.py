"""Asks pip-audit for known vulnerabilities of the installed packages; fails only where there are some."""

import json
import subprocess
import sys
from importlib.util import find_spec


def audit() -> int:
    """Print what was found; the exit code."""
    if find_spec("pip_audit") is None:
        print("audit: pip-audit is not installed here; nothing was audited; install the dev group: make clean audit")
        return 1
    command = [sys.executable, "-m", "pip_audit", "--skip-editable", "--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    packages = json.loads(done.stdout)["dependencies"] if done.stdout else []
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        print("audit: the vulnerability service does not answer from here; nothing was audited")
        return 0
    print(f"audit: {len(audited)} of {len(packages)} packages audited")
    found = [(package, vulnerability["id"]) for package in audited for vulnerability in package["vulns"]]
    for package, name in found:
        print(f"audit: {package['name']} {package['version']}: {name}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(audit())
