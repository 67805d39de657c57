"""Make HTML pages that need nothing beside them."""
