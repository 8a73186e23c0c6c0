"""Weekly harvest reports of a community garden."""
