"""The paper's experiments: the choice of a setting, and what each feature contributes."""
