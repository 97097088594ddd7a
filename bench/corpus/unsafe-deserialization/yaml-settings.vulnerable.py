import yaml


def read_settings(stream):
    """Reads the settings of a job."""
    data = yaml.load(stream, Loader=yaml.Loader) # sink: unsafe-deserialization
    return data or {}
