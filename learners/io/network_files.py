"""Read and write networks in the file formats of other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..common.checks import check_choice, check_type
from ..common.errors import ParameterError
from ..common.validation import validated
from ..common.wording import did_you_mean, quoted
from ..networks.network import DiscreteNetwork, GaussianNetwork, Network
from .bif import read_bif, write_bif
from .dsc import read_dsc, write_dsc
from .hugin_net import read_net, write_net
from .xdsl import read_xdsl, write_xdsl
from .xmlbif import read_xmlbif, write_xmlbif


@dataclass(frozen=True)
class NetworkFormat:
    """A file format of networks.

    Attributes
    ----------
    label : str
    suffixes : tuple of str
        File name suffixes; the first is used for writing.
    read, write : callable
    gaussian : bool
        True if the format supports linear Gaussian equations as well as tables.
    """

    label: str
    suffixes: tuple[str, ...]
    read: Callable[[str | Path | bytes], Network]
    write: Callable[[Network], str]
    gaussian: bool = False


NETWORK_FORMATS = {
    "bif": NetworkFormat("BIF", (".bif",), read_bif, write_bif),
    "xmlbif": NetworkFormat("XMLBIF", (".xmlbif", ".xml", ".bifxml"), read_xmlbif, write_xmlbif),
    "net": NetworkFormat("NET (Hugin)", (".net",), read_net, write_net, gaussian=True),
    "dsc": NetworkFormat("DSC", (".dsc",), read_dsc, write_dsc),
    "xdsl": NetworkFormat("XDSL (GeNIe)", (".xdsl",), read_xdsl, write_xdsl, gaussian=True),
}


@validated
def read_network(source: str | Path | bytes, form: str | None = None) -> Network:
    """Read a network from a file in one of `NETWORK_FORMATS`.

    Parameters
    ----------
    source : path, the bytes of the file, or its text
        Plain or gzip.
    form : str, optional
        A key of `NETWORK_FORMATS`, or the name of the file. Default: by the suffix of the path.

    Returns
    -------
    DiscreteNetwork, or of some formats GaussianNetwork

    Raises
    ------
    DataError
        If the file cannot be read as a network of this format.
    ParameterError
        If no format is known by that name.

    Examples
    --------
    >>> read_network('node a { type: discrete[1] = { "x" }; } probability(a) { 1; }', "dsc")
    DiscreteNetwork(p=1, edges=0, parameters=0)
    """
    name = source if form is None else form
    return NETWORK_FORMATS[_key(str(name) if isinstance(name, (str, Path)) else "")].read(source)


@validated
def write_network(network: Network, form: str) -> str:
    """Write a network as text in a format, a key of `NETWORK_FORMATS`.

    Raises
    ------
    ParameterError
        If there is no such format, it does not support equations, or it cannot represent a name.
    """
    check_type("network", network, DiscreteNetwork | GaussianNetwork, "a DiscreteNetwork or a GaussianNetwork")
    check_choice("format", form, list(NETWORK_FORMATS))
    known = NETWORK_FORMATS[form]
    if isinstance(network, GaussianNetwork) and not known.gaussian:
        able = quoted(key for key, one in NETWORK_FORMATS.items() if one.gaussian)
        raise ParameterError(f"{known.label} holds tables of probabilities, found a network of numbers. Choose {able}")
    return known.write(network)


def _key(name: str) -> str:
    if name in NETWORK_FORMATS:
        return name
    plain = name.lower().removesuffix(".gz")
    found = [key for key, one in NETWORK_FORMATS.items() if plain.endswith(one.suffixes)]
    if not found:
        endings = [suffix for one in NETWORK_FORMATS.values() for suffix in one.suffixes]
        raise ParameterError(f"the name of a network's file must show its format{did_you_mean(plain[-20:], endings)}")
    return found[0]
