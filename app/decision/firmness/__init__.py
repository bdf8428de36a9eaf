"""How firm the lead is over what people called possible, and what to find out first."""
