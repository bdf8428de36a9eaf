"""The nine steps as data: components, prompts and the worked example, loaded and checked."""
