"""Fill the templates of HTML pages."""

from __future__ import annotations

from typing import Any

from porter.extras import missing_package


def render(template: str, **values: Any) -> str:
    """Return the page of a template of this package, filled with `values`.

    Raises PorterError (PRT703) where jinja2 is not installed.
    """
    try:
        import jinja2
    except ImportError as error:
        raise missing_package("the HTML report", error) from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("porter.pages"),
        # The templates end in .html.j2: by the suffix alone nothing would be escaped.
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)
