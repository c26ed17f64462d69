"""Where schemathesis and the interface mean different things. docs/api-testing.md has the reasons."""

import gzip
import json

import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi import checks

# After ten wrong credentials in a minute, more of them are refused with 429 instead of 401.
checks.AUTH_REJECTION_STATUSES = frozenset(checks.AUTH_REJECTION_STATUSES) | {429}


@schemathesis.hook
def before_call(context, case, kwargs):
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
