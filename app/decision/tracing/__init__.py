"""Numbers and dates of a draft: who said them, or that nobody did."""
