"""The site: all pages of the repository as one book, and a check of its links."""
