"""An oracle of the analysis: each finding by plain enumeration, without any code of the engine, on random decisions."""
