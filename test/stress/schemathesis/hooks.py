"""Where schemathesis and the interface mean different things. README.md has the reasons."""

import gzip
import json
import os

import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi import checks

# After ten wrong credentials in a minute, more of them are refused with 429 instead of 401.
checks.AUTH_REJECTION_STATUSES = frozenset(checks.AUTH_REJECTION_STATUSES) | {429}


@schemathesis.hook
def before_call(context, case, kwargs):
    keep_own_key(case)
    write_headers(case)
    write_whole_numbers(case)
    keep_to_known(case)
    drop_nul_names(case)
    pack(case)


@schemathesis.hook
def after_call(context, case, response):
    """Remembers the values of answers, which are the names and ids that a later request can mean."""
    if response.status_code < 300 and len(KNOWN) < 100_000:
        collect(response.content)


OWN_KEY = os.environ.get("RELT_TESTED_KEY")


def keep_own_key(case):
    """A link from the list of keys revokes the key of this run, and every later answer would be 401 or 429."""
    path = case.path_parameters or {}
    if path.get("uuid") == OWN_KEY:
        path["uuid"] = "00000000-0000-4000-8000-000000000000"


def write_headers(case):
    """It takes X-Request-Id for the id of a label, and its client sends no numbers in headers."""
    for name, value in list((case.headers or {}).items()):
        if not isinstance(value, (str, bytes)):
            case.headers[name] = str(value)


def write_whole_numbers(case):
    """In JSON 269.0 is a whole number. A query is text."""
    for name, value in list((case.query or {}).items()):
        if isinstance(value, float) and value.is_integer():
            case.query[name] = int(value)


KNOWN = set()


def collect(content):
    try:
        values = [json.loads(content)]
    except ValueError:
        return
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values.extend(value.values())
        elif isinstance(value, list):
            values.extend(value)
        elif isinstance(value, (str, int)) and not isinstance(value, bool):
            KNOWN.add(str(value))


def keep_to_known(case):
    """
    Most invented teams, pages and filters end a chain of requests, because the answer is 404 or an empty list. The other
    phases send them.
    """
    if case.meta is None or case.meta.phase.name is not TestPhase.STATEFUL or case.meta.generation.mode.is_negative:
        return
    required = {parameter.name for parameter in case.operation.query if parameter.is_required}
    for name in list(case.query or {}):
        if name not in required and str(case.query[name]) not in KNOWN:
            del case.query[name]
    for name in list(case.headers or {}):
        if name.lower() == "x-relt-team" and case.headers[name] not in KNOWN:
            del case.headers[name]


def drop_nul_names(case):
    """The setting `allow-x00` reaches neither all phases nor the names of members."""
    if case.meta is None or case.meta.generation.mode.is_negative:
        return
    body = without_nul_names(case.body)
    # Any assignment makes schemathesis judge the case anew.
    if body != case.body:
        case.body = body


def without_nul_names(value):
    if isinstance(value, dict):
        return {name: without_nul_names(each) for name, each in value.items() if "\0" not in str(name)}
    if isinstance(value, list):
        return [without_nul_names(each) for each in value]
    return value


def pack(case):
    """`Content-Encoding: gzip` describes the bytes, which the generator does not know: pack them."""
    headers = case.headers or {}
    encoding = next((headers[name] for name in headers if name.lower() == "content-encoding"), None)
    if encoding == "gzip" and not isinstance(case.body, (bytes, str)):
        text = "" if case.body is NOT_SET else json.dumps(case.body)
        case.body = gzip.compress(text.encode())
        case.media_type = None
        case.headers["Content-Type"] = "application/json"


REFUSED_NAMES = ('"__proto__"', '"constructor"', '"prototype"')


@schemathesis.hook
def filter_body(context, body):
    """A member with such a name is refused everywhere, and JSON Schema cannot say so of every object at once."""
    if body is NOT_SET or isinstance(body, bytes):
        return True
    text = json.dumps(body, default=str)
    return not any(name in text for name in REFUSED_NAMES)
