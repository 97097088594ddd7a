import yaml


def read_settings(stream):
    """Reads the settings of a job."""
    data = yaml.load(stream, Loader=yaml.SafeLoader)
    return data or {}
