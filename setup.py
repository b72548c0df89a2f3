"""The build of the compiled core: a plain shared library, optional, the same for every Python."""

from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import CCompilerError, ExecError, PlatformError

CORE = Path("src/trunkline/engine/core")


class BuildCore(build_ext):
    """Builds `trunkline/engine/_core.so`; without a compiler it warns, and the pure-Python core serves."""

    def get_ext_filename(self, fullname: str) -> str:
        """Return a name that is not tied to one Python: ctypes loads the library."""
        return str(Path(*fullname.split("."))) + ".so"

    def get_export_symbols(self, ext: Extension) -> list[str]:
        """Return nothing: there is no module initialisation to export."""
        return ext.export_symbols or []

    def build_extension(self, ext: Extension) -> None:
        """Build the library, or say that it could not be built."""
        try:
            super().build_extension(ext)
        except (CCompilerError, ExecError, PlatformError) as error:
            self.warn(f"the compiled core was not built, the pure-Python core will serve: {error}")

    def copy_extensions_to_source(self) -> None:
        """Copy what was built beside the sources, for an editable installation."""
        built = [ext for ext in self.extensions if Path(self.build_lib, self.get_ext_filename(ext.name)).exists()]
        self.extensions, every = built, self.extensions
        super().copy_extensions_to_source()
        self.extensions = every


class PlatformWheel(bdist_wheel):
    """Tags the wheel for every Python 3 on this platform, or for any platform where nothing was compiled."""

    def finalize_options(self) -> None:
        """A wheel is pure if the core cannot be built here."""
        super().finalize_options()
        self.run_command("build_ext")
        built = self.get_finalized_command("build_ext")
        self.root_is_pure = not all(Path(output).exists() for output in built.get_outputs())

    def get_tag(self) -> tuple[str, str, str]:
        """Return py3-none-<platform>."""
        _, _, platform = super().get_tag()
        return "py3", "none", platform


setup(
    ext_modules=[
        Extension(
            "trunkline.engine._core",
            sources=sorted(str(path) for path in CORE.glob("*.cpp")),
            depends=sorted(str(path) for path in CORE.glob("*.hpp")),
            extra_compile_args=["-std=c++17", "-O3", "-g0", "-pthread"],
            extra_link_args=["-pthread"],
            language="c++",
            optional=True,
        )
    ],
    cmdclass={"build_ext": BuildCore, "bdist_wheel": PlatformWheel},
)
