"""The work of Benchmarks/Sources/PostQuantumBench with packages of PyPI; prints the same lines.

usage: postquantum_packages.py cryptography|pqcrypto|plain COUNT
"""
import hashlib
import importlib.metadata
import os
import sys
import time

SEED, TEXT = os.urandom(64), b"m" * 200


def timed(name, count, work):
    start = time.perf_counter(), time.process_time()
    for _ in range(count):
        work()
    print(name, time.perf_counter() - start[0], time.process_time() - start[1], count, sep="\t", flush=True)


def version(*names):
    return " and ".join(f"{name} {importlib.metadata.version(name)}" for name in names)


def with_cryptography(count):
    """Native: OpenSSL's, from seeds and to bytes as ours."""
    from cryptography.hazmat.backends.openssl import backend
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey, MLDSA65PublicKey
    from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    print("version", version("cryptography") + f" ({backend.openssl_version_text().rsplit(' ', 3)[0]})", sep="\t")
    key = MLKEM768PrivateKey.from_seed_bytes(SEED).public_key().public_bytes_raw()
    _, ciphertext = MLKEM768PublicKey.from_public_bytes(key).encapsulate()
    timed("mlkem keys", count, lambda: MLKEM768PrivateKey.from_seed_bytes(SEED).public_key().public_bytes_raw())
    timed("mlkem encapsulate", count, lambda: MLKEM768PublicKey.from_public_bytes(key).encapsulate())
    timed("mlkem decapsulate", count, lambda: MLKEM768PrivateKey.from_seed_bytes(SEED).decapsulate(ciphertext))

    # X-Wing is put together of its parts.
    def expand():
        both = hashlib.shake_256(SEED[:32]).digest(96)
        return MLKEM768PrivateKey.from_seed_bytes(both[:64]), X25519PrivateKey.from_private_bytes(both[64:])

    def public_key():
        lattice, curve = expand()
        return lattice.public_key().public_bytes_raw() + curve.public_key().public_bytes_raw()

    def combine(first, second, ephemeral, owner):
        return hashlib.sha3_256(first + second + ephemeral + owner + rb"\.//^\ "[:6]).digest()

    def encapsulate(key):
        first, ciphertext = MLKEM768PublicKey.from_public_bytes(key[:1184]).encapsulate()
        scalar = X25519PrivateKey.generate()
        ephemeral = scalar.public_key().public_bytes_raw()
        second = scalar.exchange(X25519PublicKey.from_public_bytes(key[1184:]))
        return combine(first, second, ephemeral, key[1184:]), ciphertext + ephemeral

    def decapsulate(ciphertext):
        lattice, curve = expand()
        first = lattice.decapsulate(ciphertext[:1088])
        second = curve.exchange(X25519PublicKey.from_public_bytes(ciphertext[1088:]))
        return combine(first, second, ciphertext[1088:], curve.public_key().public_bytes_raw())

    both = public_key()
    secret, both_ciphertext = encapsulate(both)
    assert decapsulate(both_ciphertext) == secret
    timed("xwing keys", count, public_key)
    timed("xwing encapsulate", count, lambda: encapsulate(both))
    timed("xwing decapsulate", count, lambda: decapsulate(both_ciphertext))

    signer = MLDSA65PrivateKey.from_seed_bytes(SEED[:32])
    signer_key, signature = signer.public_key().public_bytes_raw(), signer.sign(TEXT)
    timed("mldsa keys", count, lambda: MLDSA65PrivateKey.from_seed_bytes(SEED[:32]).public_key().public_bytes_raw())
    timed("mldsa sign", count, lambda: MLDSA65PrivateKey.from_seed_bytes(SEED[:32]).sign(TEXT))
    timed("mldsa verify", count, lambda: MLDSA65PublicKey.from_public_bytes(signer_key).verify(signature, TEXT))


def with_pqcrypto(count):
    """Native: Rust; it makes keys at random and takes private keys in their long form."""
    from pqcrypto.kem import ml_kem_768
    from pqcrypto.sign import ml_dsa_65

    print("version", version("pqcrypto"), sep="\t")
    key, private = ml_kem_768.keygen()
    ciphertext = max(ml_kem_768.encaps(key), key=len)
    timed("mlkem keys", count, ml_kem_768.keygen)
    timed("mlkem encapsulate", count, lambda: ml_kem_768.encaps(key))
    timed("mlkem decapsulate", count, lambda: ml_kem_768.decaps(private, ciphertext))
    signer_key, signer = ml_dsa_65.keygen()
    signature = ml_dsa_65.sign(signer, TEXT)
    timed("mldsa keys", count, ml_dsa_65.keygen)
    # It signs so slowly that a tenth must do.
    timed("mldsa sign", max(1, count // 10), lambda: ml_dsa_65.sign(signer, TEXT))
    timed("mldsa verify", count, lambda: ml_dsa_65.verify(signer_key, TEXT, signature))


def with_plain_python(count):
    from dilithium_py.ml_dsa import ML_DSA_65
    from kyber_py.ml_kem import ML_KEM_768

    print("version", version("kyber-py", "dilithium-py"), sep="\t")
    key, private = ML_KEM_768.key_derive(SEED)
    _, ciphertext = ML_KEM_768.encaps(key)
    timed("mlkem keys", count, lambda: ML_KEM_768.key_derive(SEED))
    timed("mlkem encapsulate", count, lambda: ML_KEM_768.encaps(key))
    timed("mlkem decapsulate", count, lambda: ML_KEM_768.decaps(private, ciphertext))
    signer_key, signer = ML_DSA_65.key_derive(SEED[:32])
    signature = ML_DSA_65.sign(signer, TEXT)
    timed("mldsa keys", count, lambda: ML_DSA_65.key_derive(SEED[:32]))
    timed("mldsa sign", count, lambda: ML_DSA_65.sign(signer, TEXT))
    timed("mldsa verify", count, lambda: ML_DSA_65.verify(signer_key, TEXT, signature))


engines = {"cryptography": with_cryptography, "pqcrypto": with_pqcrypto, "plain": with_plain_python}
if len(sys.argv) != 3 or sys.argv[1] not in engines:
    sys.exit(__doc__)
engines[sys.argv[1]](int(sys.argv[2]))
