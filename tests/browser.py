"""A headless browser for the tests; without one they are left out, and say so."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    BROWSER is None or DRIVER is None,
    reason="left out: no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)",
)


@contextmanager
def browser(size: str) -> Iterator[webdriver.Chrome]:
    """A fresh browser of a certain size; what its console complained of fails the test."""
    assert BROWSER is not None
    width, height = SIZES[size]
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (
        "headless=new",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "disable-dev-shm-usage",
        f"window-size={width},{height}",
        *(["no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
    ):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        yield driver
        log: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
        complaints = [entry["message"] for entry in log if "status of 4" not in entry["message"]]
        assert complaints == []
    finally:
        driver.quit()


def wait(driver: webdriver.Chrome, until: Callable[[webdriver.Chrome], Any], seconds: float = 120) -> Any:
    """Wait until something holds, and give it; long, for machines that are busy with other things."""
    return WebDriverWait(driver, seconds, 0.05).until(until)


def fits(driver: webdriver.Chrome) -> bool:
    """Is nothing wider than the window?"""
    return bool(driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth"))


def all_of(driver: webdriver.Chrome, selector: str) -> list[WebElement]:
    """The elements a selector finds."""
    return driver.find_elements("css selector", selector)


def one(driver: webdriver.Chrome, selector: str) -> WebElement:
    """The first element a selector finds."""
    return driver.find_element("css selector", selector)
