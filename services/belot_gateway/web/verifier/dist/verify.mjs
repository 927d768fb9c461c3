// Built by build.mjs from sources 931cd2387848254b7ae4af7b84562874b41c83324fbd55b7e30e63045ab96d15.

// src/node/main.ts
import { readFileSync as readFileSync2 } from "node:fs";
import { parseArgs } from "node:util";

// node_modules/@noble/hashes/_u64.js
var U32_MASK64 = BigInt(4294967295), _32n = /* @__PURE__ */ BigInt(32);
function fromBig(n, le = !1) {
  return le ? { h: Number(n & U32_MASK64), l: Number(n >> _32n & U32_MASK64) } : { h: Number(n >> _32n & U32_MASK64) | 0, l: Number(n & U32_MASK64) | 0 };
}
function split(lst, le = !1) {
  let len = lst.length, Ah = new Uint32Array(len), Al = new Uint32Array(len);
  for (let i = 0; i < len; i++) {
    let { h, l } = fromBig(lst[i], le);
    [Ah[i], Al[i]] = [h, l];
  }
  return [Ah, Al];
}
var fromNumH = (n) => n / 2 ** 32 | 0, fromNumL = (n) => n >>> 0;
function setU64FromNum(view, byteOffset, n, isLE) {
  let h = fromNumH(n), l = fromNumL(n);
  view.setUint32(byteOffset, isLE ? l : h, isLE), view.setUint32(byteOffset + 4, isLE ? h : l, isLE);
}
var shrSH = (h, _l, s) => h >>> s, shrSL = (h, l, s) => h << 32 - s | l >>> s, rotrSH = (h, l, s) => h >>> s | l << 32 - s, rotrSL = (h, l, s) => h << 32 - s | l >>> s, rotrBH = (h, l, s) => h << 64 - s | l >>> s - 32, rotrBL = (h, l, s) => h >>> s - 32 | l << 64 - s;
function add(Ah, Al, Bh, Bl) {
  let l = (Al >>> 0) + (Bl >>> 0);
  return { h: Ah + Bh + (l / 2 ** 32 | 0) | 0, l: l | 0 };
}
var add3L = (Al, Bl, Cl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0), add3H = (low, Ah, Bh, Ch) => Ah + Bh + Ch + (low / 2 ** 32 | 0) | 0, add4L = (Al, Bl, Cl, Dl) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0), add4H = (low, Ah, Bh, Ch, Dh) => Ah + Bh + Ch + Dh + (low / 2 ** 32 | 0) | 0, add5L = (Al, Bl, Cl, Dl, El) => (Al >>> 0) + (Bl >>> 0) + (Cl >>> 0) + (Dl >>> 0) + (El >>> 0), add5H = (low, Ah, Bh, Ch, Dh, Eh) => Ah + Bh + Ch + Dh + Eh + (low / 2 ** 32 | 0) | 0;

// node_modules/@noble/hashes/utils.js
function isBytes(a) {
  return a instanceof Uint8Array || ArrayBuffer.isView(a) && a.constructor.name === "Uint8Array" && "BYTES_PER_ELEMENT" in a && a.BYTES_PER_ELEMENT === 1;
}
var atitle = (title) => title ? `"${title}" ` : "";
function anumber(n, title = "") {
  if (typeof n != "number")
    throw new TypeError(atitle(title) + "expected number, got " + typeof n);
  if (!Number.isSafeInteger(n) || n < 0)
    throw new RangeError(atitle(title) + "expected integer >= 0, got " + n);
  return n;
}
function abytes(value, length, title = "") {
  if (isBytes(value) && (length === void 0 || value.length === length))
    return value;
  length !== void 0 && anumber(length, "length");
  let bytes = isBytes(value), ofLen = length !== void 0 ? ` of length ${length}` : "", got = bytes ? `length=${value.length}` : `type=${typeof value}`, message = atitle(title) + "expected Uint8Array" + ofLen + ", got " + got;
  throw bytes ? new RangeError(message) : new TypeError(message);
}
function ahash(h) {
  if (typeof h != "function" || typeof h.create != "function")
    throw new TypeError("expected hash wrapped by utils.createHasher");
  if (anumber(h.outputLen), anumber(h.blockLen), h.outputLen < 1 || h.blockLen < 1)
    throw new Error("hash blockLen / outputLen must be >= 1");
}
var aobject = (value, label) => {
  if (value === null || typeof value != "object" || Array.isArray(value))
    throw new TypeError((label === "object" ? "" : `"${label}" `) + "expected object, got type=" + typeof value);
}, aopts = (value, label) => {
  aobject(value, label);
  let proto = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null)
    throw new TypeError(`"${label}" expected plain object`);
  if (Object.hasOwn(value, "__proto__"))
    throw new TypeError(`"${label}.__proto__" is not allowed`);
};
function aexists(instance, checkFinished = !0) {
  if (instance.destroyed)
    throw new Error("hash was destroyed");
  if (checkFinished && instance.finished)
    throw new Error("digest() was already called");
}
function aoutput(out, instance) {
  abytes(out, void 0, "output");
  let min = instance.outputLen;
  if (!(out.length >= min))
    throw new RangeError('"output" expected length >= ' + min);
}
function clean(...arrays) {
  for (let i = 0; i < arrays.length; i++)
    arrays[i].fill(0);
}
function createView(arr) {
  return new DataView(arr.buffer, arr.byteOffset, arr.byteLength);
}
function rotr(word, shift) {
  return word << 32 - shift | word >>> shift;
}
var hasHexBuiltin = /* @ts-ignore */ typeof Uint8Array.from([]).toHex == "function" && typeof Uint8Array.fromHex == "function", hexes = /* @__PURE__ */ Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
function bytesToHex(bytes) {
  if (abytes(bytes), hasHexBuiltin)
    return bytes.toHex();
  let hex = "";
  for (let i = 0; i < bytes.length; i++)
    hex += hexes[bytes[i]];
  return hex;
}
function asciiToBase16(ch) {
  return ch >= 48 && ch <= 57 ? ch - 48 : ch >= 65 && ch <= 70 ? ch - 55 : ch >= 97 && ch <= 102 ? ch - 87 : void 0;
}
function hexToBytes(hex) {
  if (typeof hex != "string")
    throw new TypeError("hex string expected, got " + typeof hex);
  if (hasHexBuiltin)
    try {
      return Uint8Array.fromHex(hex);
    } catch (error) {
      throw error instanceof SyntaxError ? new RangeError(error.message) : error;
    }
  let hl = hex.length, al = hl / 2;
  if (hl % 2)
    throw new RangeError("hex string expected, got unpadded hex of length " + hl);
  let array = new Uint8Array(al);
  for (let ai = 0, hi = 0; ai < al; ai++, hi += 2) {
    let n1 = asciiToBase16(hex.charCodeAt(hi)), n2 = asciiToBase16(hex.charCodeAt(hi + 1));
    if (n1 === void 0 || n2 === void 0) {
      let char = hex[hi] + hex[hi + 1];
      throw new RangeError('hex string expected, got non-hex character "' + char + '" at index ' + hi);
    }
    array[ai] = n1 * 16 + n2;
  }
  return array;
}
function concatBytes(...arrays) {
  let sum = 0;
  for (let i = 0; i < arrays.length; i++) {
    let a = arrays[i];
    abytes(a), sum += a.length;
  }
  let res = new Uint8Array(sum);
  for (let i = 0, pad = 0; i < arrays.length; i++) {
    let a = arrays[i];
    res.set(a, pad), pad += a.length;
  }
  return res;
}
function checkOpts(defaults, opts, title = "opts") {
  return aopts(defaults, "defaults"), opts !== void 0 && aopts(opts, title), Object.assign(/* @__PURE__ */ Object.create(null), defaults, opts);
}
function createHasher(hashCons, info = {}) {
  if (typeof hashCons != "function")
    throw new TypeError('"hashCons" expected function, got type=' + typeof hashCons);
  info = checkOpts({}, info, "info");
  let hashC = (msg, opts) => hashCons(opts).update(msg).digest(), tmp = hashCons(void 0);
  return hashC.outputLen = tmp.outputLen, hashC.blockLen = tmp.blockLen, hashC.canXOF = tmp.canXOF, hashC.create = (opts) => hashCons(opts), Object.assign(hashC, info), Object.freeze(hashC);
}
function randomBytes(bytesLength = 32) {
  anumber(bytesLength, "bytesLength");
  let cr = typeof globalThis == "object" ? globalThis.crypto : null;
  if (typeof cr?.getRandomValues != "function")
    throw new Error("crypto.getRandomValues must be defined");
  if (bytesLength > 65536)
    throw new RangeError(`"bytesLength" expected <= 65536, got ${bytesLength}`);
  return cr.getRandomValues(new Uint8Array(bytesLength));
}
var oidNist = (suffix) => ({
  // Current NIST hashAlgs suffixes used here fit in one DER subidentifier octet.
  // Larger suffix values would need base-128 OID encoding and a different length byte.
  oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, suffix])
});

// node_modules/@noble/hashes/_md.js
function Chi(a, b, c) {
  return a & b ^ ~a & c;
}
function Maj(a, b, c) {
  return a & b ^ a & c ^ b & c;
}
var HashMD = class {
  blockLen;
  outputLen;
  canXOF = !1;
  padOffset;
  isLE;
  // For partial updates less than block size
  buffer;
  view;
  finished = !1;
  length = 0;
  pos = 0;
  destroyed = !1;
  constructor(blockLen, outputLen, padOffset, isLE) {
    this.blockLen = blockLen, this.outputLen = outputLen, this.padOffset = padOffset, this.isLE = isLE, this.buffer = new Uint8Array(blockLen), this.view = createView(this.buffer);
  }
  update(data) {
    aexists(this), abytes(data);
    let { view, buffer, blockLen } = this, len = data.length, processed = !1;
    for (let pos = 0; pos < len; ) {
      let take = Math.min(blockLen - this.pos, len - pos);
      if (take === blockLen) {
        let dataView = createView(data);
        for (; blockLen <= len - pos; pos += blockLen)
          this.process(dataView, pos);
        processed = !0;
        continue;
      }
      buffer.set(pos === 0 && take === len ? data : data.subarray(pos, pos + take), this.pos), this.pos += take, pos += take, this.pos === blockLen && (this.process(view, 0), this.pos = 0, processed = !0);
    }
    return this.length += data.length, processed && this.roundClean(), this;
  }
  digestInto(out) {
    aexists(this), aoutput(out, this), this.finished = !0;
    let { buffer, view, blockLen, isLE } = this, { pos } = this;
    buffer[pos++] = 128, buffer.fill(0, pos), this.padOffset > blockLen - pos && (this.process(view, 0), buffer.fill(0)), setU64FromNum(view, blockLen - 8, this.length * 8, isLE), this.process(view, 0), this.roundClean();
    let oview = out === buffer ? view : createView(out), len = this.outputLen, outLen = len / 4, state = this.get();
    if (len % 4 || outLen > state.length)
      throw new Error("invalid outputLen");
    for (let i = 0; i < outLen; i++)
      oview.setUint32(4 * i, state[i], isLE);
  }
  digest() {
    let { buffer, outputLen } = this;
    this.digestInto(buffer);
    let res = buffer.slice(0, outputLen);
    return this.destroy(), res;
  }
  _cloneIntoMeta(to) {
    let { buffer, length, finished, destroyed, pos } = this;
    return to.destroyed = destroyed, to.finished = finished, to.length = length, to.pos = pos, pos && to.buffer.set(buffer), to;
  }
  clone() {
    return this._cloneInto();
  }
}, SHA256_IV = /* @__PURE__ */ Uint32Array.from([
  1779033703,
  3144134277,
  1013904242,
  2773480762,
  1359893119,
  2600822924,
  528734635,
  1541459225
]);
var SHA512_IV = /* @__PURE__ */ Uint32Array.from([
  1779033703,
  4089235720,
  3144134277,
  2227873595,
  1013904242,
  4271175723,
  2773480762,
  1595750129,
  1359893119,
  2917565137,
  2600822924,
  725511199,
  528734635,
  4215389547,
  1541459225,
  327033209
]);

// node_modules/@noble/hashes/sha2.js
var SHA256_K = /* @__PURE__ */ Uint32Array.from([
  1116352408,
  1899447441,
  3049323471,
  3921009573,
  961987163,
  1508970993,
  2453635748,
  2870763221,
  3624381080,
  310598401,
  607225278,
  1426881987,
  1925078388,
  2162078206,
  2614888103,
  3248222580,
  3835390401,
  4022224774,
  264347078,
  604807628,
  770255983,
  1249150122,
  1555081692,
  1996064986,
  2554220882,
  2821834349,
  2952996808,
  3210313671,
  3336571891,
  3584528711,
  113926993,
  338241895,
  666307205,
  773529912,
  1294757372,
  1396182291,
  1695183700,
  1986661051,
  2177026350,
  2456956037,
  2730485921,
  2820302411,
  3259730800,
  3345764771,
  3516065817,
  3600352804,
  4094571909,
  275423344,
  430227734,
  506948616,
  659060556,
  883997877,
  958139571,
  1322822218,
  1537002063,
  1747873779,
  1955562222,
  2024104815,
  2227730452,
  2361852424,
  2428436474,
  2756734187,
  3204031479,
  3329325298
]), SHA256_W = /* @__PURE__ */ new Uint32Array(64), SHA2_32B = class extends HashMD {
  // We cannot use array here since array allows indexing by variable
  // which means optimizer/compiler cannot use registers.
  // Numeric initializers matter: starting the fields as `undefined` changes
  // V8's field representation and makes sha256 3x slower (measured).
  A = 0;
  B = 0;
  C = 0;
  D = 0;
  E = 0;
  F = 0;
  G = 0;
  H = 0;
  constructor(outputLen, IV) {
    super(64, outputLen, 8, !1), this.A = IV[0] | 0, this.B = IV[1] | 0, this.C = IV[2] | 0, this.D = IV[3] | 0, this.E = IV[4] | 0, this.F = IV[5] | 0, this.G = IV[6] | 0, this.H = IV[7] | 0;
  }
  get() {
    let { A, B, C, D, E, F, G, H } = this;
    return [A, B, C, D, E, F, G, H];
  }
  // prettier-ignore
  set(A, B, C, D, E, F, G, H) {
    this.A = A | 0, this.B = B | 0, this.C = C | 0, this.D = D | 0, this.E = E | 0, this.F = F | 0, this.G = G | 0, this.H = H | 0;
  }
  _cloneInto(to) {
    return (to ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(to);
  }
  process(view, offset) {
    for (let i = 0; i < 16; i++, offset += 4)
      SHA256_W[i] = view.getUint32(offset, !1);
    for (let i = 16; i < 64; i++) {
      let W15 = SHA256_W[i - 15], W2 = SHA256_W[i - 2], s0 = rotr(W15, 7) ^ rotr(W15, 18) ^ W15 >>> 3, s1 = rotr(W2, 17) ^ rotr(W2, 19) ^ W2 >>> 10;
      SHA256_W[i] = s1 + SHA256_W[i - 7] + s0 + SHA256_W[i - 16] | 0;
    }
    let { A, B, C, D, E, F, G, H } = this;
    for (let i = 0; i < 64; i++) {
      let sigma1 = rotr(E, 6) ^ rotr(E, 11) ^ rotr(E, 25), T1 = H + sigma1 + Chi(E, F, G) + SHA256_K[i] + SHA256_W[i] | 0, T2 = (rotr(A, 2) ^ rotr(A, 13) ^ rotr(A, 22)) + Maj(A, B, C) | 0;
      H = G, G = F, F = E, E = D + T1 | 0, D = C, C = B, B = A, A = T1 + T2 | 0;
    }
    A = A + this.A | 0, B = B + this.B | 0, C = C + this.C | 0, D = D + this.D | 0, E = E + this.E | 0, F = F + this.F | 0, G = G + this.G | 0, H = H + this.H | 0, this.set(A, B, C, D, E, F, G, H);
  }
  roundClean() {
    clean(SHA256_W);
  }
  destroy() {
    this.destroyed = !0, this.set(0, 0, 0, 0, 0, 0, 0, 0), clean(this.buffer);
  }
}, _SHA256 = class extends SHA2_32B {
  constructor() {
    super(32, SHA256_IV);
  }
};
var K512 = split([
  "0x428a2f98d728ae22",
  "0x7137449123ef65cd",
  "0xb5c0fbcfec4d3b2f",
  "0xe9b5dba58189dbbc",
  "0x3956c25bf348b538",
  "0x59f111f1b605d019",
  "0x923f82a4af194f9b",
  "0xab1c5ed5da6d8118",
  "0xd807aa98a3030242",
  "0x12835b0145706fbe",
  "0x243185be4ee4b28c",
  "0x550c7dc3d5ffb4e2",
  "0x72be5d74f27b896f",
  "0x80deb1fe3b1696b1",
  "0x9bdc06a725c71235",
  "0xc19bf174cf692694",
  "0xe49b69c19ef14ad2",
  "0xefbe4786384f25e3",
  "0x0fc19dc68b8cd5b5",
  "0x240ca1cc77ac9c65",
  "0x2de92c6f592b0275",
  "0x4a7484aa6ea6e483",
  "0x5cb0a9dcbd41fbd4",
  "0x76f988da831153b5",
  "0x983e5152ee66dfab",
  "0xa831c66d2db43210",
  "0xb00327c898fb213f",
  "0xbf597fc7beef0ee4",
  "0xc6e00bf33da88fc2",
  "0xd5a79147930aa725",
  "0x06ca6351e003826f",
  "0x142929670a0e6e70",
  "0x27b70a8546d22ffc",
  "0x2e1b21385c26c926",
  "0x4d2c6dfc5ac42aed",
  "0x53380d139d95b3df",
  "0x650a73548baf63de",
  "0x766a0abb3c77b2a8",
  "0x81c2c92e47edaee6",
  "0x92722c851482353b",
  "0xa2bfe8a14cf10364",
  "0xa81a664bbc423001",
  "0xc24b8b70d0f89791",
  "0xc76c51a30654be30",
  "0xd192e819d6ef5218",
  "0xd69906245565a910",
  "0xf40e35855771202a",
  "0x106aa07032bbd1b8",
  "0x19a4c116b8d2d0c8",
  "0x1e376c085141ab53",
  "0x2748774cdf8eeb99",
  "0x34b0bcb5e19b48a8",
  "0x391c0cb3c5c95a63",
  "0x4ed8aa4ae3418acb",
  "0x5b9cca4f7763e373",
  "0x682e6ff3d6b2b8a3",
  "0x748f82ee5defb2fc",
  "0x78a5636f43172f60",
  "0x84c87814a1f0ab72",
  "0x8cc702081a6439ec",
  "0x90befffa23631e28",
  "0xa4506cebde82bde9",
  "0xbef9a3f7b2c67915",
  "0xc67178f2e372532b",
  "0xca273eceea26619c",
  "0xd186b8c721c0c207",
  "0xeada7dd6cde0eb1e",
  "0xf57d4f7fee6ed178",
  "0x06f067aa72176fba",
  "0x0a637dc5a2c898a6",
  "0x113f9804bef90dae",
  "0x1b710b35131c471b",
  "0x28db77f523047d84",
  "0x32caab7b40c72493",
  "0x3c9ebe0a15c9bebc",
  "0x431d67c49c100d4c",
  "0x4cc5d4becb3e42b6",
  "0x597f299cfc657e2a",
  "0x5fcb6fab3ad6faec",
  "0x6c44198c4a475817"
].map((n) => BigInt(n))), SHA512_Kh = K512[0], SHA512_Kl = K512[1], SHA512_W_H = /* @__PURE__ */ new Uint32Array(80), SHA512_W_L = /* @__PURE__ */ new Uint32Array(80), SHA2_64B = class extends HashMD {
  // We cannot use array here since array allows indexing by variable
  // which means optimizer/compiler cannot use registers.
  // h -- high 32 bits, l -- low 32 bits
  // Numeric initializers matter: starting the fields as `undefined` changes
  // V8's field representation and slows hashing down (measured on sha256).
  Ah = 0;
  Al = 0;
  Bh = 0;
  Bl = 0;
  Ch = 0;
  Cl = 0;
  Dh = 0;
  Dl = 0;
  Eh = 0;
  El = 0;
  Fh = 0;
  Fl = 0;
  Gh = 0;
  Gl = 0;
  Hh = 0;
  Hl = 0;
  constructor(outputLen, IV) {
    super(128, outputLen, 16, !1), this.Ah = IV[0] | 0, this.Al = IV[1] | 0, this.Bh = IV[2] | 0, this.Bl = IV[3] | 0, this.Ch = IV[4] | 0, this.Cl = IV[5] | 0, this.Dh = IV[6] | 0, this.Dl = IV[7] | 0, this.Eh = IV[8] | 0, this.El = IV[9] | 0, this.Fh = IV[10] | 0, this.Fl = IV[11] | 0, this.Gh = IV[12] | 0, this.Gl = IV[13] | 0, this.Hh = IV[14] | 0, this.Hl = IV[15] | 0;
  }
  // prettier-ignore
  get() {
    let { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
    return [Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl];
  }
  // prettier-ignore
  set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl) {
    this.Ah = Ah | 0, this.Al = Al | 0, this.Bh = Bh | 0, this.Bl = Bl | 0, this.Ch = Ch | 0, this.Cl = Cl | 0, this.Dh = Dh | 0, this.Dl = Dl | 0, this.Eh = Eh | 0, this.El = El | 0, this.Fh = Fh | 0, this.Fl = Fl | 0, this.Gh = Gh | 0, this.Gl = Gl | 0, this.Hh = Hh | 0, this.Hl = Hl | 0;
  }
  _cloneInto(to) {
    return (to ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(to);
  }
  process(view, offset) {
    for (let i = 0; i < 16; i++, offset += 4)
      SHA512_W_H[i] = view.getUint32(offset), SHA512_W_L[i] = view.getUint32(offset += 4);
    for (let i = 16; i < 80; i++) {
      let W15h = SHA512_W_H[i - 15] | 0, W15l = SHA512_W_L[i - 15] | 0, s0h = rotrSH(W15h, W15l, 1) ^ rotrSH(W15h, W15l, 8) ^ shrSH(W15h, W15l, 7), s0l = rotrSL(W15h, W15l, 1) ^ rotrSL(W15h, W15l, 8) ^ shrSL(W15h, W15l, 7), W2h = SHA512_W_H[i - 2] | 0, W2l = SHA512_W_L[i - 2] | 0, s1h = rotrSH(W2h, W2l, 19) ^ rotrBH(W2h, W2l, 61) ^ shrSH(W2h, W2l, 6), s1l = rotrSL(W2h, W2l, 19) ^ rotrBL(W2h, W2l, 61) ^ shrSL(W2h, W2l, 6), SUMl = add4L(s0l, s1l, SHA512_W_L[i - 7], SHA512_W_L[i - 16]), SUMh = add4H(SUMl, s0h, s1h, SHA512_W_H[i - 7], SHA512_W_H[i - 16]);
      SHA512_W_H[i] = SUMh | 0, SHA512_W_L[i] = SUMl | 0;
    }
    let { Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl } = this;
    for (let i = 0; i < 80; i++) {
      let sigma1h = rotrSH(Eh, El, 14) ^ rotrSH(Eh, El, 18) ^ rotrBH(Eh, El, 41), sigma1l = rotrSL(Eh, El, 14) ^ rotrSL(Eh, El, 18) ^ rotrBL(Eh, El, 41), CHIh = Eh & Fh ^ ~Eh & Gh, CHIl = El & Fl ^ ~El & Gl, T1ll = add5L(Hl, sigma1l, CHIl, SHA512_Kl[i], SHA512_W_L[i]), T1h = add5H(T1ll, Hh, sigma1h, CHIh, SHA512_Kh[i], SHA512_W_H[i]), T1l = T1ll | 0, sigma0h = rotrSH(Ah, Al, 28) ^ rotrBH(Ah, Al, 34) ^ rotrBH(Ah, Al, 39), sigma0l = rotrSL(Ah, Al, 28) ^ rotrBL(Ah, Al, 34) ^ rotrBL(Ah, Al, 39), MAJh = Ah & Bh ^ Ah & Ch ^ Bh & Ch, MAJl = Al & Bl ^ Al & Cl ^ Bl & Cl;
      Hh = Gh | 0, Hl = Gl | 0, Gh = Fh | 0, Gl = Fl | 0, Fh = Eh | 0, Fl = El | 0, { h: Eh, l: El } = add(Dh | 0, Dl | 0, T1h | 0, T1l | 0), Dh = Ch | 0, Dl = Cl | 0, Ch = Bh | 0, Cl = Bl | 0, Bh = Ah | 0, Bl = Al | 0;
      let All = add3L(T1l, sigma0l, MAJl);
      Ah = add3H(All, T1h, sigma0h, MAJh), Al = All | 0;
    }
    ({ h: Ah, l: Al } = add(this.Ah | 0, this.Al | 0, Ah | 0, Al | 0)), { h: Bh, l: Bl } = add(this.Bh | 0, this.Bl | 0, Bh | 0, Bl | 0), { h: Ch, l: Cl } = add(this.Ch | 0, this.Cl | 0, Ch | 0, Cl | 0), { h: Dh, l: Dl } = add(this.Dh | 0, this.Dl | 0, Dh | 0, Dl | 0), { h: Eh, l: El } = add(this.Eh | 0, this.El | 0, Eh | 0, El | 0), { h: Fh, l: Fl } = add(this.Fh | 0, this.Fl | 0, Fh | 0, Fl | 0), { h: Gh, l: Gl } = add(this.Gh | 0, this.Gl | 0, Gh | 0, Gl | 0), { h: Hh, l: Hl } = add(this.Hh | 0, this.Hl | 0, Hh | 0, Hl | 0), this.set(Ah, Al, Bh, Bl, Ch, Cl, Dh, Dl, Eh, El, Fh, Fl, Gh, Gl, Hh, Hl);
  }
  roundClean() {
    clean(SHA512_W_H, SHA512_W_L);
  }
  destroy() {
    this.destroyed = !0, clean(this.buffer), this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}, _SHA512 = class extends SHA2_64B {
  constructor() {
    super(64, SHA512_IV);
  }
};
var sha256 = /* @__PURE__ */ createHasher(
  () => new _SHA256(),
  /* @__PURE__ */ oidNist(1)
);
var sha512 = /* @__PURE__ */ createHasher(
  () => new _SHA512(),
  /* @__PURE__ */ oidNist(3)
);

// node_modules/@noble/curves/utils.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
function aarray(item, title, inner = () => {
}) {
  if (!Array.isArray(item))
    throw new TypeError(`"${title}" expected array, got type=${typeof item}`);
  for (let i = 0; i < item.length; i++)
    inner(item[i], `${title}[${i}]`);
  return item;
}
var abytes2 = (value, length, title) => abytes(value, length, title), anumber2 = anumber;
function aobject2(value, title = "object") {
  if (value === null || typeof value != "object" || Array.isArray(value))
    throw new TypeError(title === "object" ? "expected valid options object" : `"${title}" expected object, got type=${typeof value}`);
  return value;
}
function afunction(value, title) {
  if (typeof value != "function")
    throw new TypeError(`"${title}" is invalid: expected function, got ${typeof value}`);
  return value;
}
var bytesToHex2 = bytesToHex, concatBytes2 = (...arrays) => concatBytes(...arrays), hexToBytes2 = (hex) => hexToBytes(hex), isBytes2 = isBytes, randomBytes2 = (bytesLength) => randomBytes(bytesLength), _0n = /* @__PURE__ */ BigInt(0), _1n = /* @__PURE__ */ BigInt(1), atitle2 = (title) => title ? `"${title}" ` : "";
function abool(value, title = "") {
  if (typeof value != "boolean")
    throw new TypeError(atitle2(title) + "expected boolean, got type=" + typeof value);
  return value;
}
function abignumber(n) {
  if (typeof n == "bigint") {
    if (!isPosBig(n))
      throw new RangeError("positive bigint expected, got " + n);
  } else
    anumber2(n);
  return n;
}
function asafenumber(value, title = "") {
  if (typeof value != "number") {
    let prefix = title && `"${title}" `;
    throw new TypeError(prefix + "expected number, got type=" + typeof value);
  }
  if (!Number.isSafeInteger(value)) {
    let prefix = title && `"${title}" `;
    throw new RangeError(prefix + "expected safe integer, got " + value);
  }
}
function hexToNumber(hex) {
  if (typeof hex != "string")
    throw new TypeError("hex string expected, got " + typeof hex);
  return hex === "" ? _0n : BigInt("0x" + hex);
}
function bytesToNumberBE(bytes) {
  return hexToNumber(bytesToHex(bytes));
}
function bytesToNumberLE(bytes) {
  return hexToNumber(bytesToHex(copyBytes(abytes(bytes)).reverse()));
}
function numberToBytesBE(n, len) {
  if (anumber(len), len === 0)
    throw new Error("zero output length is invalid");
  n = abignumber(n);
  let expectedLen = len * 2, hex = n.toString(16);
  if (hex.length > expectedLen)
    throw new RangeError("number is too large");
  return hexToBytes(hex.padStart(expectedLen, "0"));
}
function numberToBytesLE(n, len) {
  return numberToBytesBE(n, len).reverse();
}
function copyBytes(bytes) {
  return Uint8Array.from(abytes2(bytes));
}
function asciiToBytes(ascii2) {
  if (typeof ascii2 != "string")
    throw new TypeError("ascii string expected, got " + typeof ascii2);
  return Uint8Array.from(ascii2, (c, i) => {
    let charCode = c.charCodeAt(0);
    if (c.length !== 1 || charCode > 127)
      throw new RangeError(`string contains non-ASCII character "${ascii2[i]}" with code ${charCode} at position ${i}`);
    return charCode;
  });
}
function isPosBig(n) {
  return typeof n == "bigint" && _0n <= n;
}
function inRange(n, min, max) {
  return isPosBig(n) && isPosBig(min) && isPosBig(max) && min <= n && n < max;
}
function aInRange(title, n, min, max) {
  if (!inRange(n, min, max))
    throw new RangeError("expected valid " + title + ": " + min + " <= n < " + max + ", got " + n);
}
function bitLen(n) {
  if (n < _0n)
    throw new Error("expected non-negative bigint, got " + n);
  return n === _0n ? 0 : n.toString(2).length;
}
function bitGet(n, pos) {
  if (typeof n != "bigint")
    throw new TypeError('"n" expected bigint, got type=' + typeof n);
  return asafenumber(pos, "pos"), n >> BigInt(pos) & _1n;
}
var bitMask = (n) => (asafenumber(n, "n"), (_1n << BigInt(n)) - _1n);
function validateObject(object, fields2 = {}, optFields = {}, title = "object") {
  aobject2(object, title), aobject2(fields2, "fields"), aobject2(optFields, "optFields");
  function checkField(fieldName, expectedType, isOpt) {
    let label = title === "object" ? `param "${String(fieldName)}"` : `"${title}.${String(fieldName)}"`, val = object[fieldName];
    if (!Object.hasOwn(object, fieldName) && (isOpt ? val !== void 0 : expectedType !== "function"))
      throw new TypeError(`${label} is invalid: expected own property`);
    if (isOpt && val === void 0)
      return;
    let current = typeof val;
    if (current !== expectedType || val === null)
      throw new TypeError(`${label} is invalid: expected ${expectedType}, got ${current}`);
  }
  let iter = (f, isOpt) => Object.entries(f).forEach(([k, v]) => checkField(k, v, isOpt));
  iter(fields2, !1), iter(optFields, !0);
}
var notImplemented = () => {
  throw new Error("not implemented");
};

// node_modules/@noble/curves/abstract/modular.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n2 = /* @__PURE__ */ BigInt(0), _1n2 = /* @__PURE__ */ BigInt(1), _2n = /* @__PURE__ */ BigInt(2), _3n = /* @__PURE__ */ BigInt(3), _4n = /* @__PURE__ */ BigInt(4), _5n = /* @__PURE__ */ BigInt(5), _7n = /* @__PURE__ */ BigInt(7), _8n = /* @__PURE__ */ BigInt(8), _9n = /* @__PURE__ */ BigInt(9), _15n = /* @__PURE__ */ BigInt(15), _16n = /* @__PURE__ */ BigInt(16), POW_WINDOWED_MIN = /* @__PURE__ */ BigInt("0x10000000000000000");
function mod(a, b) {
  if (b <= _0n2)
    throw new Error("mod: expected positive modulus, got " + b);
  let result = a % b;
  return result >= _0n2 ? result : b + result;
}
function pow(num, power, modulo) {
  if (modulo <= _1n2)
    throw new Error("pow: expected modulus > 1, got " + modulo);
  if (typeof power != "bigint")
    throw new TypeError("invalid exponent: expected bigint, got " + typeof power);
  if (power < _0n2)
    throw new Error("invalid exponent, negatives unsupported");
  if (power === _0n2)
    return _1n2;
  if (power === _1n2)
    return num;
  let d = num % modulo;
  if (d < _0n2 && (d += modulo), power < POW_WINDOWED_MIN) {
    let p2 = _1n2;
    for (; power > _0n2; )
      power & _1n2 && (p2 = p2 * d % modulo), d = d * d % modulo, power >>= _1n2;
    return p2;
  }
  let digits = [];
  for (; power > _0n2; )
    digits.push(Number(power & _15n)), power >>= _4n;
  let table = new Array(16);
  table[0] = _1n2, table[1] = d;
  for (let i = 2; i < 16; i++)
    table[i] = table[i - 1] * d % modulo;
  let p = table[digits[digits.length - 1]];
  for (let w = digits.length - 2; w >= 0; w--) {
    p = p * p % modulo, p = p * p % modulo, p = p * p % modulo, p = p * p % modulo;
    let digit = digits[w];
    digit !== 0 && (p = p * table[digit] % modulo);
  }
  return p;
}
function pow2(x, power, modulo) {
  if (modulo <= _1n2)
    throw new Error("pow2: expected modulus > 1, got " + modulo);
  if (power < _0n2)
    throw new Error("pow2: expected non-negative exponent, got " + power);
  let res = x;
  for (; power-- > _0n2; )
    res *= res, res %= modulo;
  return res;
}
function invert(number, modulo) {
  if (number === _0n2)
    throw new Error("invert: expected non-zero number");
  if (modulo <= _1n2)
    throw new Error("invert: expected modulus > 1, got " + modulo);
  let a = mod(number, modulo), b = modulo, x = _0n2, u = _1n2;
  for (; a !== _0n2; ) {
    let q = b / a, r = b - a * q, m = x - u * q;
    b = a, a = r, x = u, u = m;
  }
  if (b !== _1n2)
    throw new Error("invert: does not exist");
  return mod(x, modulo);
}
function assertIsSquare(Fp4, root, n) {
  let F = Fp4;
  if (!F.eql(F.sqr(root), n))
    throw new Error("Cannot find square root");
}
function aoddModulus(order, fnName) {
  if ((order & _1n2) === _0n2)
    throw new Error(fnName + ": expected odd modulus, got " + order);
}
function sqrt3mod4(Fp4, n) {
  let F = Fp4, p1div4 = (F.ORDER + _1n2) / _4n, root = F.pow(n, p1div4);
  return assertIsSquare(F, root, n), root;
}
function sqrt5mod8(Fp4, n) {
  let F = Fp4, p5div8 = (F.ORDER - _5n) / _8n, n2 = F.mul(n, _2n), v = F.pow(n2, p5div8), nv = F.mul(n, v), i = F.mul(F.mul(nv, _2n), v), root = F.mul(nv, F.sub(i, F.ONE));
  return assertIsSquare(F, root, n), root;
}
function sqrt9mod16(P) {
  let Fp_ = Field(P), tn = tonelliShanks(P), c1 = tn(Fp_, Fp_.neg(Fp_.ONE)), c2 = tn(Fp_, c1), c3 = tn(Fp_, Fp_.neg(c1)), c4 = (P + _7n) / _16n;
  return ((Fp4, n) => {
    let F = Fp4, tv1 = F.pow(n, c4), tv2 = F.mul(tv1, c1), tv3 = F.mul(tv1, c2), tv4 = F.mul(tv1, c3), e1 = F.eql(F.sqr(tv2), n), e2 = F.eql(F.sqr(tv3), n);
    tv1 = F.cmov(tv1, tv2, e1), tv2 = F.cmov(tv4, tv3, e2);
    let e3 = F.eql(F.sqr(tv2), n), root = F.cmov(tv1, tv2, e3);
    return assertIsSquare(F, root, n), root;
  });
}
function tonelliShanks(P) {
  if (P < _3n)
    throw new Error("sqrt is not defined for small field");
  aoddModulus(P, "tonelliShanks");
  let Q = P - _1n2, S = 0;
  for (; Q % _2n === _0n2; )
    Q /= _2n, S++;
  let Z = _2n, _Fp = Field(P);
  for (; FpLegendre(_Fp, Z) === 1; )
    if (Z++ > 1e3)
      throw new Error("Cannot find square root: probably non-prime P");
  if (S === 1)
    return sqrt3mod4;
  let cc = _Fp.pow(Z, Q), Q1div2 = (Q + _1n2) / _2n;
  return function(Fp4, n) {
    let F = Fp4;
    if (F.is0(n))
      return n;
    if (FpLegendre(F, n) !== 1)
      throw new Error("Cannot find square root");
    let M = S, c = F.mul(F.ONE, cc), t = F.pow(n, Q), R = F.pow(n, Q1div2);
    for (; !F.eql(t, F.ONE); ) {
      if (F.is0(t))
        throw new Error("Cannot find square root: probably non-prime P");
      let i = 1, t_tmp = F.sqr(t);
      for (; !F.eql(t_tmp, F.ONE); )
        if (i++, t_tmp = F.sqr(t_tmp), i === M)
          throw new Error("Cannot find square root");
      let exponent = _1n2 << BigInt(M - i - 1), b = F.pow(c, exponent);
      M = i, c = F.sqr(b), t = F.mul(t, c), R = F.mul(R, b);
    }
    return R;
  };
}
function FpSqrt(P) {
  return aoddModulus(P, "Fp.sqrt"), P % _4n === _3n ? sqrt3mod4 : P % _8n === _5n ? sqrt5mod8 : P % _16n === _9n ? sqrt9mod16(P) : tonelliShanks(P);
}
var isNegativeLE = (num, modulo) => (mod(num, modulo) & _1n2) === _1n2, FIELD_FIELDS = [
  "create",
  "isValid",
  "is0",
  "neg",
  "inv",
  "sqrt",
  "sqr",
  "eql",
  "add",
  "sub",
  "mul",
  "pow",
  "div",
  "addN",
  "subN",
  "mulN",
  "sqrN"
];
function validateField(field) {
  if (aobject2(field, "field"), typeof field.ORDER != "bigint")
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof field.ORDER);
  asafenumber(field.BYTES, "BYTES"), asafenumber(field.BITS, "BITS");
  for (let name of FIELD_FIELDS)
    afunction(field[name], "field." + name);
  if (field.BYTES < 1 || field.BITS < 1)
    throw new Error("invalid field: expected BYTES/BITS > 0");
  if (field.ORDER <= _1n2)
    throw new Error("invalid field: expected ORDER > 1, got " + field.ORDER);
  return field;
}
function FpPow(Fp4, num, power) {
  validateField(Fp4);
  let F = Fp4;
  if (typeof power != "bigint")
    throw new TypeError("invalid exponent: expected bigint, got " + typeof power);
  if (power < _0n2)
    throw new Error("invalid exponent, negatives unsupported");
  if (power === _0n2)
    return F.ONE;
  if (power === _1n2)
    return num;
  if (power < POW_WINDOWED_MIN) {
    let p2 = F.ONE, d = num;
    for (; power > _0n2; )
      power & _1n2 && (p2 = F.mul(p2, d)), d = F.sqr(d), power >>= _1n2;
    return p2;
  }
  let digits = [];
  for (; power > _0n2; )
    digits.push(Number(power & _15n)), power >>= _4n;
  let table = new Array(16);
  table[0] = F.ONE, table[1] = num;
  for (let i = 2; i < 16; i++)
    table[i] = F.mul(table[i - 1], num);
  let p = table[digits[digits.length - 1]];
  for (let w = digits.length - 2; w >= 0; w--) {
    p = F.sqr(F.sqr(F.sqr(F.sqr(p))));
    let digit = digits[w];
    digit !== 0 && (p = F.mul(p, table[digit]));
  }
  return p;
}
function FpInvertBatch(Fp4, nums, passZero = !1) {
  validateField(Fp4), aarray(nums, "nums"), abool(passZero, "passZero");
  let F = Fp4, inverted = new Array(nums.length).fill(passZero ? F.ZERO : void 0), multipliedAcc = nums.reduce((acc, num, i) => F.is0(num) ? acc : (inverted[i] = acc, F.mul(acc, num)), F.ONE), invertedAcc = F.inv(multipliedAcc);
  return nums.reduceRight((acc, num, i) => F.is0(num) ? acc : (inverted[i] = F.mul(acc, inverted[i]), F.mul(acc, num)), invertedAcc), inverted;
}
function FpLegendre(Fp4, n) {
  validateField(Fp4);
  let F = Fp4;
  aoddModulus(F.ORDER, "FpLegendre");
  let p1mod2 = (F.ORDER - _1n2) / _2n, powered = F.pow(n, p1mod2), yes = F.eql(powered, F.ONE), zero = F.eql(powered, F.ZERO), no = F.eql(powered, F.neg(F.ONE));
  if (!yes && !zero && !no)
    throw new Error("invalid Legendre symbol result");
  return yes ? 1 : zero ? 0 : -1;
}
function FpIsSquare(Fp4, n) {
  return FpLegendre(Fp4, n) !== -1;
}
function nLength(n, nBitLength) {
  if (nBitLength !== void 0 && anumber2(nBitLength), n <= _0n2)
    throw new Error("invalid n length: expected positive n, got " + n);
  if (nBitLength !== void 0 && nBitLength < 1)
    throw new Error("invalid n length: expected positive bit length, got " + nBitLength);
  let bits = bitLen(n);
  if (nBitLength !== void 0 && nBitLength < bits)
    throw new Error(`invalid n length: expected nBitLength (${nBitLength}) >= bitLen(n) (${bits})`);
  let _nBitLength = nBitLength !== void 0 ? nBitLength : bits, nByteLength = Math.ceil(_nBitLength / 8);
  return { nBitLength: _nBitLength, nByteLength };
}
var FIELD_SQRT = /* @__PURE__ */ new WeakMap(), _Field = class {
  ORDER;
  BITS;
  BYTES;
  isLE;
  ZERO = _0n2;
  ONE = _1n2;
  _lengths;
  _mod;
  constructor(ORDER2, opts = {}) {
    if (ORDER2 <= _1n2)
      throw new Error("invalid field: expected ORDER > 1, got " + ORDER2);
    let _nbitLength;
    this.isLE = !1, opts != null && typeof opts == "object" && (typeof opts.BITS == "number" && (_nbitLength = opts.BITS), typeof opts.sqrt == "function" && Object.defineProperty(this, "sqrt", { value: opts.sqrt, enumerable: !0 }), typeof opts.isLE == "boolean" && (this.isLE = opts.isLE), opts.allowedLengths && (this._lengths = Object.freeze(opts.allowedLengths.slice())), typeof opts.modFromBytes == "boolean" && (this._mod = opts.modFromBytes));
    let { nBitLength, nByteLength } = nLength(ORDER2, _nbitLength);
    if (nByteLength > 2048)
      throw new Error("invalid field: expected ORDER of <= 2048 bytes");
    this.ORDER = ORDER2, this.BITS = nBitLength, this.BYTES = nByteLength, Object.freeze(this);
  }
  create(num) {
    return mod(num, this.ORDER);
  }
  isValid(num) {
    if (typeof num != "bigint")
      throw new TypeError("invalid field element: expected bigint, got " + typeof num);
    return _0n2 <= num && num < this.ORDER;
  }
  is0(num) {
    return num === _0n2;
  }
  // is valid and invertible
  isValidNot0(num) {
    return !this.is0(num) && this.isValid(num);
  }
  isOdd(num) {
    return (num & _1n2) === _1n2;
  }
  neg(num) {
    return mod(-num, this.ORDER);
  }
  eql(lhs, rhs) {
    return lhs === rhs;
  }
  sqr(num) {
    return mod(num * num, this.ORDER);
  }
  add(lhs, rhs) {
    return mod(lhs + rhs, this.ORDER);
  }
  sub(lhs, rhs) {
    return mod(lhs - rhs, this.ORDER);
  }
  mul(lhs, rhs) {
    return mod(lhs * rhs, this.ORDER);
  }
  pow(num, power) {
    return pow(num, power, this.ORDER);
  }
  div(lhs, rhs) {
    return mod(lhs * invert(rhs, this.ORDER), this.ORDER);
  }
  // Same as above, but doesn't normalize
  sqrN(num) {
    return num * num;
  }
  addN(lhs, rhs) {
    return lhs + rhs;
  }
  subN(lhs, rhs) {
    return lhs - rhs;
  }
  mulN(lhs, rhs) {
    return lhs * rhs;
  }
  inv(num) {
    return invert(num, this.ORDER);
  }
  sqrt(num) {
    let sqrt = FIELD_SQRT.get(this);
    return sqrt || FIELD_SQRT.set(this, sqrt = FpSqrt(this.ORDER)), sqrt(this, num);
  }
  toBytes(num) {
    return this.isLE ? numberToBytesLE(num, this.BYTES) : numberToBytesBE(num, this.BYTES);
  }
  fromBytes(bytes, skipValidation = !1) {
    abytes2(bytes);
    let { _lengths: allowedLengths, BYTES, isLE, ORDER: ORDER2, _mod: modFromBytes } = this;
    if (allowedLengths) {
      if (bytes.length < 1 || !allowedLengths.includes(bytes.length) || bytes.length > BYTES)
        throw new Error("Field.fromBytes: expected " + allowedLengths + " bytes, got " + bytes.length);
      let padded = new Uint8Array(BYTES);
      padded.set(bytes, isLE ? 0 : padded.length - bytes.length), bytes = padded;
    }
    if (bytes.length !== BYTES)
      throw new Error("Field.fromBytes: expected " + BYTES + " bytes, got " + bytes.length);
    let scalar2 = isLE ? bytesToNumberLE(bytes) : bytesToNumberBE(bytes);
    if (modFromBytes && (scalar2 = mod(scalar2, ORDER2)), !skipValidation && !this.isValid(scalar2))
      throw new Error("invalid field element: outside of range 0..ORDER");
    return scalar2;
  }
  // TODO: we don't need it here, move out to separate fn
  invertBatch(lst) {
    return FpInvertBatch(this, lst, !0);
  }
  // We can't move this out because Fp6, Fp12 implement it
  // and it's unclear what to return in there.
  cmov(a, b, condition) {
    return abool(condition, "condition"), condition ? b : a;
  }
};
function Field(ORDER2, opts = {}) {
  return Object.freeze(_Field.prototype), new _Field(ORDER2, opts);
}
function getFieldBytesLength(fieldOrder) {
  if (typeof fieldOrder != "bigint")
    throw new Error("field order must be bigint");
  if (fieldOrder <= _1n2)
    throw new Error("field order must be greater than 1");
  let bitLength = bitLen(fieldOrder - _1n2);
  return Math.ceil(bitLength / 8);
}
function getMinHashLength(fieldOrder) {
  let length = getFieldBytesLength(fieldOrder);
  return length + Math.ceil(length / 2);
}
function mapHashToField(key, fieldOrder, isLE = !1) {
  abytes2(key);
  let len = key.length, fieldLen = getFieldBytesLength(fieldOrder), minLen = Math.max(getMinHashLength(fieldOrder), 16);
  if (len < minLen || len > 1024)
    throw new Error("expected " + minLen + "-1024 bytes of input, got " + len);
  let num = isLE ? bytesToNumberLE(key) : bytesToNumberBE(key), reduced = mod(num, fieldOrder - _1n2) + _1n2;
  return isLE ? numberToBytesLE(reduced, fieldLen) : numberToBytesBE(reduced, fieldLen);
}

// node_modules/@noble/curves/abstract/curve.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n3 = /* @__PURE__ */ BigInt(0), _1n3 = /* @__PURE__ */ BigInt(1), _4n2 = /* @__PURE__ */ BigInt(4), BLIND_BYTES = 16, BLIND_BITS = 128, FW_WINDOW = 5, TABLE_BYTES_MAX = 2 ** 31;
function validatePointCons(Point) {
  let pc = Point;
  if (typeof pc != "function")
    throw new TypeError('"Point" expected constructor, got type=' + typeof Point);
  afunction(pc.fromAffine, "Point.fromAffine"), afunction(pc.fromBytes, "Point.fromBytes"), afunction(pc.fromHex, "Point.fromHex"), aobject2(pc.BASE, "Point.BASE"), aobject2(pc.ZERO, "Point.ZERO"), validateField(pc.Fp), validateField(pc.Fn);
}
function normalizeZ(c, points) {
  validatePointCons(c), validateMSMPoints(points, c);
  let invertedZs = FpInvertBatch(c.Fp, points.map((p) => p.Z));
  return points.map((p, i) => c.fromAffine(p.toAffine(invertedZs[i])));
}
function validateW(W, bits, min = 1) {
  if (!Number.isSafeInteger(W) || W < min || W > bits)
    throw new Error("invalid window size, expected [" + min + ".." + bits + "], got W=" + W);
}
function validateTableBytes(numPoints, fpBytes) {
  let bytes = numPoints * (4 * fpBytes + 128);
  if (bytes > TABLE_BYTES_MAX)
    throw new Error("invalid window size: table would need ~" + Math.ceil(bytes / 2 ** 20) + " MiB, max " + TABLE_BYTES_MAX / 2 ** 20 + " MiB");
}
function probeRandomBytes(randomBytes3, length) {
  if (randomBytes3 !== void 0) {
    afunction(randomBytes3, "randomBytes");
    try {
      let probe = randomBytes3(length);
      if (!isBytes2(probe) || probe.length !== length)
        return;
    } catch {
      return;
    }
    return randomBytes3;
  }
}
function validateMSMPoints(points, c) {
  aarray(points, "points"), points.forEach((p, i) => {
    if (!(p instanceof c))
      throw new Error("invalid point at index " + i);
  });
}
function validateMSMScalars(scalars, field, maxScalar) {
  if (!Array.isArray(scalars))
    throw new Error("array of scalars expected");
  scalars.forEach((s, i) => {
    if (!(maxScalar === void 0 ? field.isValid(s) : isPosBig(s) && s < maxScalar))
      throw new Error("invalid scalar at index " + i);
  });
}
var pointWindowSizes = /* @__PURE__ */ new WeakMap();
function getWindowSize(P) {
  return pointWindowSizes.get(P) || 1;
}
function oddMultiples(p, size) {
  let dbl = p.double(), t = [p];
  for (let j = 1; j < size; j++)
    t.push(t[j - 1].add(dbl));
  return t;
}
function wnafDigits(n, W) {
  let size = 2 ** W, half = size / 2, mask = BigInt(size - 1), d = [];
  for (; n > _0n3; ) {
    let w = 0;
    n & _1n3 && (w = Number(n & mask), w >= half && (w -= size), n -= BigInt(w)), d.push(w), n >>= _1n3;
  }
  return d;
}
function signedWindowDigits(n, W, windows) {
  let size = 2 ** W, half = size / 2, mask = BigInt(size - 1), shiftBy = BigInt(W), d = [];
  for (let w = 0; w < windows; w++) {
    let v = Number(n & mask);
    n >>= shiftBy, v > half && (v -= size, n += _1n3), d.push(v);
  }
  if (n !== _0n3)
    throw new Error("invalid wnaf");
  return d;
}
function wnafWalk(zero, tables, digits) {
  let max = 0;
  for (let d of digits)
    max = Math.max(max, d.length);
  let acc = zero;
  for (let bit = max - 1; bit >= 0; bit--) {
    bit !== max - 1 && (acc = acc.double());
    for (let i = 0; i < digits.length; i++) {
      let w = digits[i][bit];
      if (w) {
        let item = tables[i][Math.abs(w) - 1 >> 1];
        acc = acc.add(w < 0 ? item.negate() : item);
      }
    }
  }
  return acc;
}
var ScalarMultiplier = class {
  Point;
  BASE;
  ZERO;
  randomBytes;
  wnafPrecomputes = /* @__PURE__ */ new WeakMap();
  baseCanBeBlinded;
  bits;
  // Parametrized with a given Point class (not individual point)
  constructor(Point, randomBytes3) {
    validatePointCons(Point), this.randomBytes = probeRandomBytes(randomBytes3, BLIND_BYTES), this.Point = Point, this.BASE = Point.BASE, this.ZERO = Point.ZERO, this.bits = Point.Fn.BITS;
  }
  /**
   * Creates a signed fixed-window wNAF precomputation table: for every window w, the
   * multiples `[1..2^(W−1)]⋅2^(w⋅W)⋅P`, flattened. All doublings are baked into the table,
   * so cached multiplication is additions-only. `windows = ceil(bits/W) + 1`: the extra
   * window absorbs the final carry of signed-digit recoding.
   * For a 256-bit curve and W=6, the table is 44⋅32 = 1408 points.
   * @param point - Point instance
   * @param W - window size
   * @param bits - scalar bitlength the table must cover
   */
  buildWnafTable(point, W, bits) {
    let windows = Math.ceil(bits / W) + 1, half = 2 ** (W - 1), comp = [], base = point;
    for (let w = 0; w < windows; w++) {
      let acc = base;
      for (let i = 0; i < half; i++)
        comp.push(acc), acc = acc.add(base);
      base = comp[comp.length - 1].double();
    }
    return { W, bits, windows, comp };
  }
  /**
   * Implements ec multiplication using precomputed signed fixed-window wNAF tables.
   * Constant-time: fixed window count with one table addition per window — zero digits feed
   * the fake accumulator — and no doublings; the lookup scans the whole window slice.
   * Scalar bounds are validated by the public entry points ({@link ScalarMultiplier.mulCT},
   * {@link ScalarMultiplier.mulCTBlinded}, {@link ScalarMultiplier.mulUnsafe});
   * signedWindowDigits throws if `n` exceeds the table.
   * @returns real and fake (for const-time) points
   */
  wnafCachedCT(precomputes, n) {
    let { W, windows, comp } = precomputes, half = 2 ** (W - 1), digits = signedWindowDigits(n, W, windows), p = this.ZERO, f = this.BASE;
    for (let w = 0; w < windows; w++) {
      let digit = digits[w], start = w * half, idx = Math.abs(digit) - 1, sel = comp[start];
      for (let i = 1; i < half; i++)
        sel = i === idx ? comp[start + i] : sel;
      let neg = sel.negate();
      digit === 0 ? f = f.add(comp[start]) : p = p.add(digit < 0 ? neg : sel);
    }
    return { p, f };
  }
  // Cache key is point identity plus (W, bits); at most two entries exist per point (public-width
  // `Fn.BITS` and blinded `Fn.BITS + BLIND_BITS`). Callers must not reuse the same point with
  // incompatible `transform(...)` layouts and expect a separate cache entry.
  getWnafPrecomputes(W, point, bits, transform) {
    let entries = this.wnafPrecomputes.get(point), comp = entries?.find((entry) => entry.W === W && entry.bits === bits);
    return comp || (comp = this.buildWnafTable(point, W, bits), typeof transform == "function" && (comp = { ...comp, comp: transform(comp.comp) }), entries || (entries = [], this.wnafPrecomputes.set(point, entries)), entries.push(comp)), comp;
  }
  assertPoint(point) {
    if (!(point instanceof this.Point))
      throw new TypeError('"point" expected Point instance, got type=' + typeof point);
  }
  // Shared prologue of the constant-time entry points. Rejects scalar 0: in key/signature-style
  // callers a zero scalar means broken upstream plumbing, and concrete Points already reject it.
  // Uses inRange instead of Fn.isValidNot0: validateField() only certifies the arithmetic subset.
  validateMulInput(point, scalar2) {
    if (this.assertPoint(point), !inRange(scalar2, _1n3, this.Point.Fn.ORDER))
      throw new Error("invalid scalar");
  }
  // Constant-time dispatch shared by mulCT / mulCTBlinded. Un-precomputed points (W===1, e.g.
  // ECDH peer keys) skip building a throwaway cached table in favor of a small fixed-window
  // multiply. `n` must be < 2^bits.
  runCT(point, n, bits, transform) {
    let W = getWindowSize(point);
    return W === 1 ? this.fixedWindowCT(point, n, bits) : this.wnafCachedCT(this.getWnafPrecomputes(W, point, bits, transform), n);
  }
  mulCT(point, scalar2, transform) {
    return this.validateMulInput(point, scalar2), this.runCT(point, scalar2, this.bits, transform);
  }
  mulCTBlinded(point, scalar2, transform) {
    if (this.validateMulInput(point, scalar2), this.randomBytes === void 0)
      throw new Error("randomBytes is required for scalar blinding");
    let bits = this.Point.Fn.BITS + BLIND_BITS, blind = this.randomBytes(BLIND_BYTES);
    if (!isBytes2(blind) || blind.length !== BLIND_BYTES)
      throw new Error("randomBytes returned invalid byte array");
    blind[0] = blind[0] & 63 | 128;
    let n = scalar2 + bytesToNumberBE(blind) * this.Point.Fn.ORDER;
    return this.runCT(point, n, bits, transform);
  }
  /**
   * Constant-time multiplication `n*point` for an un-precomputed point, via a small fixed window.
   * A cached wNAF table only pays off when reused; a flat 2^FW_WINDOW table (`size-1` adds) is
   * far cheaper to build for a single use. The point-operation sequence is independent of `n`:
   * build the table, then per window exactly FW_WINDOW doublings, a data-oblivious scan over
   * every table entry, and one addition (adds the identity when the window digit is 0 — never
   * skipped).
   *
   * `n` must be `< 2^bits`. Assumes complete addition (adding the identity costs the same as any
   * add), which holds for the Weierstrass/Edwards point types used here. The table is left in
   * projective form (no normalizeZ): normalizing this small a table costs more than the
   * mixed-add savings it would buy for a single multiply.
   * @returns real point `p`; `f` duplicates it only to match {@link wnafCachedCT}'s return shape
   * (this path needs no fake accumulator — its op-count is already scalar-independent).
   */
  fixedWindowCT(point, n, bits) {
    let W = FW_WINDOW, size = 1 << W, mask = bitMask(W), table = new Array(size);
    table[0] = this.ZERO;
    for (let i = 1; i < size; i++)
      table[i] = table[i - 1].add(point);
    let windows = Math.ceil(bits / W), acc = this.ZERO;
    for (let window = windows - 1; window >= 0; window--) {
      if (window !== windows - 1)
        for (let d = 0; d < W; d++)
          acc = acc.double();
      let digit = Number(n >> BigInt(window * W) & mask), sel = table[0];
      for (let i = 1; i < size; i++)
        sel = i === digit ? table[i] : sel;
      acc = acc.add(sel);
    }
    return { p: acc, f: acc };
  }
  shouldBlind(point, cofactor) {
    return this.randomBytes === void 0 ? !1 : cofactor === _1n3 ? !0 : point !== this.BASE ? !1 : (this.baseCanBeBlinded === void 0 && (this.baseCanBeBlinded = this.mulUnsafe(this.BASE, this.Point.Fn.ORDER).is0()), this.baseCanBeBlinded);
  }
  mulSecret(point, scalar2, cofactor, transform) {
    return this.shouldBlind(point, cofactor) ? this.mulCTBlinded(point, scalar2, transform) : this.mulCT(point, scalar2, transform);
  }
  mulUnsafe(point, scalar2, transform) {
    if (this.assertPoint(point), !isPosBig(scalar2))
      throw new Error("invalid scalar");
    let W = getWindowSize(point);
    if (W === 1 || scalar2 >= this.Point.Fn.ORDER)
      return mulAddUnsafe(this.Point, [point], [scalar2], !0);
    let precomputes = this.getWnafPrecomputes(W, point, this.bits, transform);
    return this.wnafCachedCT(precomputes, scalar2).p;
  }
  // Remembers the window size used for precomputed wNAF multiplication of the given point
  // and drops any previously built tables. Usually only the base point is precomputed.
  // W=1 resets the point to the un-precomputed (table-less) paths.
  // W is additionally capped so tables stay under ~2 GiB ({@link TABLE_BYTES_MAX}).
  setWindowSize(point, W) {
    this.assertPoint(point), validateW(W, this.bits);
    let windows = Math.ceil((this.bits + BLIND_BITS) / W) + 1;
    validateTableBytes(windows * 2 ** (W - 1), this.Point.Fp.BYTES), pointWindowSizes.set(point, W), this.wnafPrecomputes.delete(point);
  }
  // True when a window size is set: tables themselves are built lazily on first multiply.
  hasWindowSize(point) {
    return getWindowSize(point) !== 1;
  }
};
function mulAddUnsafe(c, points, scalars, allowOversized = !1) {
  if (validatePointCons(c), validateMSMPoints(points, c), abool(allowOversized, "allowOversized"), validateMSMScalars(scalars, c.Fn, allowOversized ? c.Fn.ORDER ** _4n2 : void 0), points.length !== scalars.length)
    throw new Error("arrays of points and scalars must have equal length");
  let tables = points.map((p) => oddMultiples(p, 4)), digits = scalars.map((n) => wnafDigits(n, 4));
  return wnafWalk(c.ZERO, tables, digits);
}
function createField(order, field, isLE) {
  if (field) {
    if (field.ORDER !== order)
      throw new Error("Field.ORDER must match order: Fp == p, Fn == n");
    return validateField(field), field;
  } else
    return Field(order, { isLE });
}
function createCurveFields(type, CURVE, curveOpts = {}, FpFnLE) {
  if (type !== "weierstrass" && type !== "edwards")
    throw new Error('expected curve type "weierstrass" or "edwards"');
  if (FpFnLE === void 0 && (FpFnLE = type === "edwards"), !CURVE || typeof CURVE != "object")
    throw new Error(`expected valid ${type} CURVE object`);
  validateObject(curveOpts);
  for (let p of ["p", "n", "h"]) {
    let val = CURVE[p];
    if (!(isPosBig(val) && val !== _0n3))
      throw new Error(`CURVE.${p} must be positive bigint`);
  }
  let Fp4 = createField(CURVE.p, curveOpts.Fp, FpFnLE), Fn = createField(CURVE.n, curveOpts.Fn, FpFnLE), params = ["Gx", "Gy", "a", type === "weierstrass" ? "b" : "d"];
  for (let p of params)
    if (!Fp4.isValid(CURVE[p]))
      throw new Error(`CURVE.${p} must be valid field element of CURVE.Fp`);
  return CURVE = Object.freeze(Object.assign({}, CURVE)), { CURVE, Fp: Fp4, Fn };
}
function createKeygen(randomSecretKey, getPublicKey) {
  return function(seed) {
    let secretKey = randomSecretKey(seed);
    return { secretKey, publicKey: getPublicKey(secretKey) };
  };
}

// node_modules/@noble/curves/abstract/hash-to-curve.js
var _0n4 = /* @__PURE__ */ BigInt(0), _1n4 = /* @__PURE__ */ BigInt(1), _2n2 = /* @__PURE__ */ BigInt(2), _3n2 = /* @__PURE__ */ BigInt(3), _4n3 = /* @__PURE__ */ BigInt(4), os2ip = bytesToNumberBE;
function i2osp(value, length) {
  if (asafenumber(value), asafenumber(length), length < 0 || length > 4)
    throw new Error("invalid I2OSP length: " + length);
  if (value < 0 || value > 2 ** (8 * length) - 1)
    throw new Error("invalid I2OSP input: " + value);
  let res = Array.from({ length }).fill(0);
  for (let i = length - 1; i >= 0; i--)
    res[i] = value & 255, value >>>= 8;
  return new Uint8Array(res);
}
function strxor(a, b) {
  let arr = new Uint8Array(a.length);
  for (let i = 0; i < a.length; i++)
    arr[i] = a[i] ^ b[i];
  return arr;
}
function normDST(DST) {
  if (!isBytes2(DST) && typeof DST != "string")
    throw new Error("DST must be Uint8Array or ascii string");
  let dst = typeof DST == "string" ? asciiToBytes(DST) : DST;
  if (dst.length === 0)
    throw new Error("DST must be non-empty");
  return dst;
}
function expand_message_xmd(msg, DST, lenInBytes, H) {
  if (abytes2(msg), asafenumber(lenInBytes), typeof H != "function")
    throw new Error("expand_message_xmd: expected hash function");
  asafenumber(H.outputLen, "hash.outputLen"), asafenumber(H.blockLen, "hash.blockLen"), DST = normDST(DST), DST.length > 255 && (DST = H(concatBytes2(asciiToBytes("H2C-OVERSIZE-DST-"), DST)));
  let { outputLen: b_in_bytes, blockLen: r_in_bytes } = H, ell = Math.ceil(lenInBytes / b_in_bytes);
  if (lenInBytes > 65535 || ell > 255)
    throw new Error("expand_message_xmd: invalid lenInBytes");
  let DST_prime = concatBytes2(DST, i2osp(DST.length, 1)), Z_pad = new Uint8Array(r_in_bytes), l_i_b_str = i2osp(lenInBytes, 2), b = new Array(ell), b_0 = H(concatBytes2(Z_pad, msg, l_i_b_str, i2osp(0, 1), DST_prime));
  b[0] = H(concatBytes2(b_0, i2osp(1, 1), DST_prime));
  for (let i = 1; i < ell; i++) {
    let args = [strxor(b_0, b[i - 1]), i2osp(i + 1, 1), DST_prime];
    b[i] = H(concatBytes2(...args));
  }
  return concatBytes2(...b).slice(0, lenInBytes);
}
function expand_message_xof(msg, DST, lenInBytes, k, H) {
  if (abytes2(msg), asafenumber(lenInBytes), asafenumber(k, "k"), k < 0)
    throw new Error("expand_message_xof: invalid k");
  if (typeof H != "function")
    throw new Error("expand_message_xof: expected XOF function");
  if (typeof H.create != "function")
    throw new Error("expand_message_xof: expected XOF create");
  if (DST = normDST(DST), lenInBytes < 0 || lenInBytes > 65535)
    throw new Error("expand_message_xof: invalid lenInBytes");
  if (DST.length > 255) {
    let dkLen = Math.ceil(2 * k / 8);
    DST = H.create({ dkLen }).update(asciiToBytes("H2C-OVERSIZE-DST-")).update(DST).digest();
  }
  if (DST.length > 255)
    throw new Error("expand_message_xof: invalid DST");
  return H.create({ dkLen: lenInBytes }).update(msg).update(i2osp(lenInBytes, 2)).update(DST).update(i2osp(DST.length, 1)).digest();
}
function hash_to_field(msg, count, options) {
  validateObject(options, {
    p: "bigint",
    m: "number",
    k: "number",
    hash: "function"
  });
  let { p, k, m, hash, expand, DST } = options;
  if (asafenumber(hash.outputLen, "valid hash"), abytes2(msg), asafenumber(count), asafenumber(m, "m"), asafenumber(k, "k"), p <= BigInt(1))
    throw new Error("hash_to_field: expected valid field characteristic");
  if (count < 1)
    throw new Error("hash_to_field: expected count >= 1");
  if (m < 1)
    throw new Error("hash_to_field: expected m >= 1");
  if (k < 0)
    throw new Error("hash_to_field: invalid k");
  let log2p = p.toString(2).length, L = Math.ceil((log2p + k) / 8), len_in_bytes = count * m * L, prb;
  if (expand === "xmd")
    prb = expand_message_xmd(msg, DST, len_in_bytes, hash);
  else if (expand === "xof")
    prb = expand_message_xof(msg, DST, len_in_bytes, k, hash);
  else if (expand === "_internal_pass")
    prb = msg;
  else
    throw new Error('expand must be "xmd" or "xof"');
  let u = new Array(count);
  for (let i = 0; i < count; i++) {
    let e = new Array(m);
    for (let j = 0; j < m; j++) {
      let elm_offset = L * (j + i * m), tv = prb.subarray(elm_offset, elm_offset + L);
      e[j] = mod(os2ip(tv), p);
    }
    u[i] = e;
  }
  return u;
}
function isogenyMap(field, map) {
  validateField(field), aarray(map, "map");
  let coeff = map.map((i, row) => {
    if (aarray(i, "map[" + row + "]"), i.length < 1)
      throw new Error("isogenyMap: expected non-empty coefficients");
    return Array.from(i).reverse();
  });
  return (x, y) => {
    let [xn, xd, yn, yd] = coeff.map((val) => val.reduce((acc, i) => field.add(field.mul(acc, x), i))), isZero = field.is0(xd) || field.is0(yd), [xd_inv, yd_inv] = FpInvertBatch(field, [xd, yd], !0);
    return x = field.mul(xn, xd_inv), y = field.mul(y, field.mul(yn, yd_inv)), isZero ? { x: field.ZERO, y: field.ZERO } : { x, y };
  };
}
var _DST_scalar = "HashToScalar-";
function createHasher2(Point, mapToCurve, defaults) {
  if (typeof mapToCurve != "function")
    throw new Error("mapToCurve() must be defined");
  validateObject(defaults);
  let snapshot = (src) => Object.freeze({
    ...src,
    DST: isBytes2(src.DST) ? copyBytes(src.DST) : src.DST,
    ...src.encodeDST === void 0 ? {} : { encodeDST: isBytes2(src.encodeDST) ? copyBytes(src.encodeDST) : src.encodeDST }
  }), safeDefaults = snapshot(defaults), dstOverride = (options) => options && options.DST !== void 0 ? { DST: options.DST } : void 0;
  function map(num) {
    return Point.fromAffine(mapToCurve(num));
  }
  function clear(initial) {
    let P = initial.clearCofactor();
    return P.equals(Point.ZERO) ? Point.ZERO : (P.assertValidity(), P);
  }
  return Object.freeze({
    get defaults() {
      return snapshot(safeDefaults);
    },
    Point,
    hashToCurve(msg, options) {
      let opts = Object.assign({}, safeDefaults, dstOverride(options)), u = hash_to_field(msg, 2, opts), u0 = map(u[0]), u1 = map(u[1]);
      return clear(u0.add(u1));
    },
    encodeToCurve(msg, options) {
      let optsDst = safeDefaults.encodeDST === void 0 ? {} : { DST: safeDefaults.encodeDST }, opts = Object.assign({}, safeDefaults, optsDst, dstOverride(options)), u = hash_to_field(msg, 1, opts), u0 = map(u[0]);
      return clear(u0);
    },
    /** See {@link H2CHasher} */
    mapToCurve(scalars) {
      if (safeDefaults.m === 1) {
        if (typeof scalars != "bigint")
          throw new Error("expected bigint (m=1)");
        return clear(map([scalars]));
      }
      if (!Array.isArray(scalars))
        throw new Error("expected array of bigints");
      if (scalars.length !== safeDefaults.m)
        throw new Error(`expected array of ${safeDefaults.m} bigints`);
      for (let i of scalars)
        if (typeof i != "bigint")
          throw new Error("expected array of bigints");
      return clear(map(scalars));
    },
    // hash_to_scalar can produce 0: https://www.rfc-editor.org/errata/eid8393
    // RFC 9380, draft-irtf-cfrg-bbs-signatures-08. Default scalar DST is the shared generic
    // `HashToScalar-` prefix above unless the caller overrides it per invocation.
    hashToScalar(msg, options) {
      let N = Point.Fn.ORDER, opts = Object.assign({}, safeDefaults, { DST: _DST_scalar }, dstOverride(options), {
        p: N,
        m: 1
      });
      return hash_to_field(msg, 1, opts)[0][0];
    }
  });
}
function SWUFpSqrtRatio(Fp4, Z) {
  let F = validateField(Fp4), q = F.ORDER, l = _0n4;
  for (let o = q - _1n4; o % _2n2 === _0n4; o /= _2n2)
    l += _1n4;
  let c1 = l, _2n_pow_c1_1 = _2n2 << c1 - _1n4 - _1n4, _2n_pow_c1 = _2n_pow_c1_1 * _2n2, c2 = (q - _1n4) / _2n_pow_c1, c3 = (c2 - _1n4) / _2n2, c4 = _2n_pow_c1 - _1n4, c5 = _2n_pow_c1_1, c6 = F.pow(Z, c2), c7 = F.pow(Z, (c2 + _1n4) / _2n2), sqrtRatio = (u, v) => {
    let tv1 = c6, tv2 = F.pow(v, c4), tv3 = F.sqr(tv2);
    tv3 = F.mul(tv3, v);
    let tv5 = F.mul(u, tv3);
    tv5 = F.pow(tv5, c3), tv5 = F.mul(tv5, tv2), tv2 = F.mul(tv5, v), tv3 = F.mul(tv5, u);
    let tv4 = F.mul(tv3, tv2);
    tv5 = F.pow(tv4, c5);
    let isQR = F.eql(tv5, F.ONE);
    tv2 = F.mul(tv3, c7), tv5 = F.mul(tv4, tv1), tv3 = F.cmov(tv2, tv3, isQR), tv4 = F.cmov(tv5, tv4, isQR);
    for (let i = c1; i > _1n4; i--) {
      let tv52 = i - _2n2;
      tv52 = _2n2 << tv52 - _1n4;
      let tvv5 = F.pow(tv4, tv52), e1 = F.eql(tvv5, F.ONE);
      tv2 = F.mul(tv3, tv1), tv1 = F.mul(tv1, tv1), tvv5 = F.mul(tv4, tv1), tv3 = F.cmov(tv2, tv3, e1), tv4 = F.cmov(tvv5, tv4, e1);
    }
    return { isValid: !F.is0(v) && (isQR || F.is0(u)), value: tv3 };
  };
  if (F.ORDER % _4n3 === _3n2) {
    let c12 = (F.ORDER - _3n2) / _4n3, c22 = F.sqrt(F.neg(Z));
    sqrtRatio = (u, v) => {
      let tv1 = F.sqr(v), tv2 = F.mul(u, v);
      tv1 = F.mul(tv1, tv2);
      let y1 = F.pow(tv1, c12);
      y1 = F.mul(y1, tv2);
      let y2 = F.mul(y1, c22), tv3 = F.mul(F.sqr(y1), v), isQR = F.eql(tv3, u), y = F.cmov(y2, y1, isQR);
      return { isValid: !F.is0(v) && isQR, value: y };
    };
  }
  return sqrtRatio;
}
function mapToCurveSimpleSWU(Fp4, opts) {
  let F = validateField(Fp4);
  validateObject(opts, {}, {}, "opts");
  let { A, B, Z } = opts;
  if (!F.isValidNot0(A) || !F.isValidNot0(B) || !F.isValid(Z))
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  if (F.eql(Z, F.neg(F.ONE)) || FpIsSquare(F, Z))
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  let x = F.mul(B, F.inv(F.mul(Z, A))), gx = F.add(F.add(F.mul(F.sqr(x), x), F.mul(A, x)), B);
  if (!FpIsSquare(F, gx))
    throw new Error("mapToCurveSimpleSWU: invalid opts");
  let sqrtRatio = SWUFpSqrtRatio(F, Z);
  if (!F.isOdd)
    throw new Error("Field does not have .isOdd()");
  return (u) => {
    let tv1, tv2, tv3, tv4, tv5, tv6, x2, y;
    tv1 = F.sqr(u), tv1 = F.mul(tv1, Z), tv2 = F.sqr(tv1), tv2 = F.add(tv2, tv1), tv3 = F.add(tv2, F.ONE), tv3 = F.mul(tv3, B), tv4 = F.cmov(Z, F.neg(tv2), !F.eql(tv2, F.ZERO)), tv4 = F.mul(tv4, A), tv2 = F.sqr(tv3), tv6 = F.sqr(tv4), tv5 = F.mul(tv6, A), tv2 = F.add(tv2, tv5), tv2 = F.mul(tv2, tv3), tv6 = F.mul(tv6, tv4), tv5 = F.mul(tv6, B), tv2 = F.add(tv2, tv5), x2 = F.mul(tv1, tv3);
    let { isValid, value } = sqrtRatio(tv2, tv6);
    y = F.mul(tv1, u), y = F.mul(y, value), x2 = F.cmov(x2, tv3, isValid), y = F.cmov(y, value, isValid);
    let e1 = F.isOdd(u) === F.isOdd(y);
    y = F.cmov(F.neg(y), y, e1);
    let tv4_inv = FpInvertBatch(F, [tv4], !0)[0];
    return x2 = F.mul(x2, tv4_inv), { x: x2, y };
  };
}

// node_modules/@noble/hashes/hmac.js
var _HMAC = class {
  oHash;
  iHash;
  blockLen;
  outputLen;
  canXOF = !1;
  finished = !1;
  destroyed = !1;
  constructor(hash, key) {
    if (ahash(hash), abytes(key, void 0, "key"), this.iHash = hash.create(), typeof this.iHash.update != "function")
      throw new Error("expected Hash instance");
    this.blockLen = this.iHash.blockLen, this.outputLen = this.iHash.outputLen;
    let blockLen = this.blockLen, pad = new Uint8Array(blockLen);
    pad.set(key.length > blockLen ? hash.create().update(key).digest() : key);
    for (let i = 0; i < pad.length; i++)
      pad[i] ^= 54;
    this.iHash.update(pad), this.oHash = hash.create();
    for (let i = 0; i < pad.length; i++)
      pad[i] ^= 106;
    this.oHash.update(pad), clean(pad);
  }
  update(buf) {
    return aexists(this), this.iHash.update(buf), this;
  }
  digestInto(out) {
    aexists(this), aoutput(out, this), this.finished = !0;
    let buf = out.subarray(0, this.outputLen);
    this.iHash.digestInto(buf), this.oHash.update(buf), this.oHash.digestInto(buf), this.destroy();
  }
  digest() {
    let out = new Uint8Array(this.oHash.outputLen);
    return this.digestInto(out), out;
  }
  _cloneInto(to) {
    to ||= Object.create(Object.getPrototypeOf(this), {});
    let { oHash, iHash, finished, destroyed, blockLen, outputLen, canXOF } = this;
    return to = to, to.finished = finished, to.destroyed = destroyed, to.blockLen = blockLen, to.outputLen = outputLen, to.canXOF = canXOF, to.oHash = oHash._cloneInto(to.oHash), to.iHash = iHash._cloneInto(to.iHash), to;
  }
  clone() {
    return this._cloneInto();
  }
  destroy() {
    this.destroyed = !0, this.oHash.destroy(), this.iHash.destroy();
  }
}, hmac = /* @__PURE__ */ (() => {
  let hmac_ = ((hash, key, message) => new _HMAC(hash, key).update(message).digest());
  return hmac_.create = (hash, key) => new _HMAC(hash, key), hmac_;
})();

// node_modules/@noble/curves/abstract/weierstrass.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var divNearest = (num, den) => (num + (num >= 0 ? den : -den) / _2n3) / den;
function _splitEndoScalar(k, basis, n) {
  aInRange("scalar", k, _0n5, n);
  let [[a1, b1], [a2, b2]] = basis, c1 = divNearest(b2 * k, n), c2 = divNearest(-b1 * k, n), k1 = k - c1 * a1 - c2 * a2, k2 = -c1 * b1 - c2 * b2, k1neg = k1 < _0n5, k2neg = k2 < _0n5;
  k1neg && (k1 = -k1), k2neg && (k2 = -k2);
  let MAX_NUM = bitMask(Math.ceil(bitLen(n) / 2)) + _1n5;
  if (k1 < _0n5 || k1 >= MAX_NUM || k2 < _0n5 || k2 >= MAX_NUM)
    throw new Error("splitScalar (endomorphism): failed for k");
  return { k1neg, k1, k2neg, k2 };
}
var _0n5 = /* @__PURE__ */ BigInt(0), _1n5 = /* @__PURE__ */ BigInt(1), _2n3 = /* @__PURE__ */ BigInt(2), _3n3 = /* @__PURE__ */ BigInt(3), _4n4 = /* @__PURE__ */ BigInt(4);
function weierstrass(params, extraOpts = {}) {
  let validated = createCurveFields("weierstrass", params, extraOpts), Fp4 = validated.Fp, Fn = validated.Fn, CURVE = validated.CURVE, { h: cofactor, n: CURVE_ORDER } = CURVE;
  validateObject(extraOpts, {}, {
    allowInfinityPoint: "boolean",
    clearCofactor: "function",
    isTorsionFree: "function",
    fromBytes: "function",
    toBytes: "function",
    endo: "object",
    randomBytes: "function"
  });
  let { endo: endoOpts, allowInfinityPoint, clearCofactor, isTorsionFree, fromBytes, toBytes } = extraOpts, randomBytes3 = extraOpts.randomBytes === void 0 ? randomBytes2 : extraOpts.randomBytes;
  if (endoOpts && (!Fp4.is0(CURVE.a) || typeof endoOpts.beta != "bigint" || !Array.isArray(endoOpts.basises)))
    throw new Error('invalid endo: expected "beta": bigint and "basises": array');
  let endo = endoOpts ? {
    beta: endoOpts.beta,
    basises: endoOpts.basises.map((basis) => [...basis])
  } : void 0, lengths = getWLengths(Fp4, Fn);
  function assertCompressionIsSupported() {
    if (!Fp4.isOdd)
      throw new Error("compression is not supported: Field does not have .isOdd()");
  }
  function pointToBytes(_c, point, isCompressed) {
    if (point.is0()) {
      if (!allowInfinityPoint)
        throw new Error("bad point: ZERO");
      return Uint8Array.of(0);
    }
    let { x, y } = point.toAffine(), bx = Fp4.toBytes(x);
    if (abool(isCompressed, "isCompressed"), isCompressed) {
      assertCompressionIsSupported();
      let hasEvenY = !Fp4.isOdd(y);
      return concatBytes2(pprefix(hasEvenY), bx);
    } else
      return concatBytes2(Uint8Array.of(4), bx, Fp4.toBytes(y));
  }
  function pointFromBytes(bytes) {
    abytes2(bytes, void 0, "Point");
    let { publicKey: comp, publicKeyUncompressed: uncomp } = lengths, length = bytes.length, head = bytes[0], tail = bytes.subarray(1);
    if (allowInfinityPoint && length === 1 && head === 0)
      return { x: Fp4.ZERO, y: Fp4.ZERO };
    if (length === comp && (head === 2 || head === 3)) {
      let x = Fp4.fromBytes(tail);
      if (!Fp4.isValid(x))
        throw new Error("bad point: is not on curve, wrong x");
      let y2 = weierstrassEquation(x), y;
      try {
        y = Fp4.sqrt(y2);
      } catch (sqrtError) {
        let err = sqrtError instanceof Error ? ": " + sqrtError.message : "";
        throw new Error("bad point: is not on curve, sqrt error" + err);
      }
      assertCompressionIsSupported();
      let evenY = Fp4.isOdd(y);
      return (head & 1) === 1 !== evenY && (y = Fp4.neg(y)), { x, y };
    } else if (length === uncomp && head === 4) {
      let L = Fp4.BYTES, x = Fp4.fromBytes(tail.subarray(0, L)), y = Fp4.fromBytes(tail.subarray(L, L * 2));
      if (!isValidXY(x, y))
        throw new Error("bad point: is not on curve");
      return { x, y };
    } else
      throw new Error(`bad point: got length ${length}, expected compressed=${comp} or uncompressed=${uncomp}`);
  }
  let encodePoint = toBytes === void 0 ? pointToBytes : toBytes, decodePoint = fromBytes === void 0 ? pointFromBytes : fromBytes, b3 = Fp4.mul(CURVE.b, _3n3), mulA = Fp4.is0(CURVE.a) ? (_) => Fp4.ZERO : (x) => Fp4.mul(CURVE.a, x);
  function weierstrassEquation(x) {
    let x2 = Fp4.sqr(x), x3 = Fp4.mul(x2, x);
    return Fp4.add(Fp4.add(x3, Fp4.mul(x, CURVE.a)), CURVE.b);
  }
  function isValidXY(x, y) {
    let left = Fp4.sqr(y), right = weierstrassEquation(x);
    return Fp4.eql(left, right);
  }
  if (!isValidXY(CURVE.Gx, CURVE.Gy))
    throw new Error("bad curve params: generator point");
  let _4a3 = Fp4.mul(Fp4.pow(CURVE.a, _3n3), _4n4), _27b2 = Fp4.mul(Fp4.sqr(CURVE.b), BigInt(27));
  if (Fp4.is0(Fp4.add(_4a3, _27b2)))
    throw new Error("bad curve params: a or b");
  function acoord(title, n, banZero = !1) {
    if (!Fp4.isValid(n) || banZero && Fp4.is0(n))
      throw new Error(`bad point coordinate ${title}`);
    return typeof n == "object" && n !== null ? Fp4.create(n) : n;
  }
  function aprjpoint(other) {
    if (!(other instanceof Point))
      throw new Error("Weierstrass Point expected");
  }
  function splitEndoScalarN(k) {
    if (!endo || !endo.basises)
      throw new Error("no endo");
    return _splitEndoScalar(k, endo.basises, Fn.ORDER);
  }
  function pushWnafPair(points, scalars, p, k) {
    if (!Fn.isValid(k))
      throw new RangeError("invalid scalar: out of range");
    if (endo) {
      let { k1neg, k1, k2neg, k2 } = splitEndoScalarN(k), psi = new Point(Fp4.mul(p.X, endo.beta), p.Y, p.Z);
      points.push(k1neg ? p.negate() : p, k2neg ? psi.negate() : psi), scalars.push(k1, k2);
    } else
      points.push(p), scalars.push(k);
  }
  let validityCache = /* @__PURE__ */ new WeakSet();
  class Point {
    static BASE = new Point(CURVE.Gx, CURVE.Gy, Fp4.ONE);
    static ZERO = new Point(Fp4.ZERO, Fp4.ONE, Fp4.ZERO);
    static Fp = Fp4;
    static Fn = Fn;
    X;
    Y;
    Z;
    /** Does NOT validate if the point is valid. Use `.assertValidity()`. */
    constructor(X, Y, Z) {
      this.X = acoord("x", X), this.Y = acoord("y", Y, !0), this.Z = acoord("z", Z), Object.freeze(this);
    }
    static CURVE() {
      return CURVE;
    }
    /** Does NOT validate if the point is valid. Use `.assertValidity()`. */
    static fromAffine(p) {
      let { x, y } = p || {};
      if (!p || !Fp4.isValid(x) || !Fp4.isValid(y))
        throw new Error("invalid affine point");
      if (p instanceof Point)
        throw new Error("projective point not allowed");
      return Fp4.is0(x) && Fp4.is0(y) ? Point.ZERO : new Point(x, y, Fp4.ONE);
    }
    static fromBytes(bytes) {
      let P = Point.fromAffine(decodePoint(abytes2(bytes, void 0, "point")));
      return P.assertValidity(), P;
    }
    static fromHex(hex) {
      return Point.fromBytes(hexToBytes2(hex));
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    /**
     * @param isLazy - true will defer table computation until the first multiplication
     */
    precompute(windowSize = 6, isLazy = !0) {
      return wnaf.setWindowSize(this, windowSize), isLazy || this.multiply(_3n3), this;
    }
    // TODO: return `this`
    /** A point on curve is valid if it conforms to equation. */
    assertValidity() {
      let p = this;
      if (p.is0()) {
        if (allowInfinityPoint && Fp4.is0(p.X) && Fp4.eql(p.Y, Fp4.ONE) && Fp4.is0(p.Z))
          return;
        throw new Error("bad point: ZERO");
      }
      if (validityCache.has(p))
        return;
      let { x, y } = p.toAffine();
      if (!Fp4.isValid(x) || !Fp4.isValid(y))
        throw new Error("bad point: x or y not field elements");
      if (!isValidXY(x, y))
        throw new Error("bad point: equation left != right");
      if (!p.isTorsionFree())
        throw new Error("bad point: not in prime-order subgroup");
      validityCache.add(p);
    }
    hasEvenY() {
      let { y } = this.toAffine();
      if (!Fp4.isOdd)
        throw new Error("Field doesn't support isOdd");
      return !Fp4.isOdd(y);
    }
    /** Compare one point to another. */
    equals(other) {
      aprjpoint(other);
      let { X: X1, Y: Y1, Z: Z1 } = this, { X: X2, Y: Y2, Z: Z2 } = other, U1 = Fp4.eql(Fp4.mul(X1, Z2), Fp4.mul(X2, Z1)), U2 = Fp4.eql(Fp4.mul(Y1, Z2), Fp4.mul(Y2, Z1));
      return U1 && U2;
    }
    /** Flips point to one corresponding to (x, -y) in Affine coordinates. */
    negate() {
      return new Point(this.X, Fp4.neg(this.Y), this.Z);
    }
    // Renes-Costello-Batina exception-free doubling formula.
    // There is 30% faster Jacobian formula, but it is not complete.
    // https://eprint.iacr.org/2015/1060, algorithm 3
    // Cost: 8M + 3S + 3*a + 2*b3 + 15add.
    double() {
      let { X: X1, Y: Y1, Z: Z1 } = this, X3 = Fp4.ZERO, Y3 = Fp4.ZERO, Z3 = Fp4.ZERO, t0 = Fp4.mul(X1, X1), t1 = Fp4.mul(Y1, Y1), t2 = Fp4.mul(Z1, Z1), t3 = Fp4.mul(X1, Y1);
      return t3 = Fp4.add(t3, t3), Z3 = Fp4.mul(X1, Z1), Z3 = Fp4.add(Z3, Z3), X3 = mulA(Z3), Y3 = Fp4.mul(b3, t2), Y3 = Fp4.add(X3, Y3), X3 = Fp4.sub(t1, Y3), Y3 = Fp4.add(t1, Y3), Y3 = Fp4.mul(X3, Y3), X3 = Fp4.mul(t3, X3), Z3 = Fp4.mul(b3, Z3), t2 = mulA(t2), t3 = Fp4.sub(t0, t2), t3 = mulA(t3), t3 = Fp4.add(t3, Z3), Z3 = Fp4.add(t0, t0), t0 = Fp4.add(Z3, t0), t0 = Fp4.add(t0, t2), t0 = Fp4.mul(t0, t3), Y3 = Fp4.add(Y3, t0), t2 = Fp4.mul(Y1, Z1), t2 = Fp4.add(t2, t2), t0 = Fp4.mul(t2, t3), X3 = Fp4.sub(X3, t0), Z3 = Fp4.mul(t2, t1), Z3 = Fp4.add(Z3, Z3), Z3 = Fp4.add(Z3, Z3), new Point(X3, Y3, Z3);
    }
    // Renes-Costello-Batina exception-free addition formula.
    // There is 30% faster Jacobian formula, but it is not complete.
    // https://eprint.iacr.org/2015/1060, algorithm 1
    // Cost: 12M + 0S + 3*a + 3*b3 + 23add.
    add(other) {
      aprjpoint(other);
      let { X: X1, Y: Y1, Z: Z1 } = this, { X: X2, Y: Y2, Z: Z2 } = other, X3 = Fp4.ZERO, Y3 = Fp4.ZERO, Z3 = Fp4.ZERO, t0 = Fp4.mul(X1, X2), t1 = Fp4.mul(Y1, Y2), t2 = Fp4.mul(Z1, Z2), t3 = Fp4.add(X1, Y1), t4 = Fp4.add(X2, Y2);
      t3 = Fp4.mul(t3, t4), t4 = Fp4.add(t0, t1), t3 = Fp4.sub(t3, t4), t4 = Fp4.add(X1, Z1);
      let t5 = Fp4.add(X2, Z2);
      return t4 = Fp4.mul(t4, t5), t5 = Fp4.add(t0, t2), t4 = Fp4.sub(t4, t5), t5 = Fp4.add(Y1, Z1), X3 = Fp4.add(Y2, Z2), t5 = Fp4.mul(t5, X3), X3 = Fp4.add(t1, t2), t5 = Fp4.sub(t5, X3), Z3 = mulA(t4), X3 = Fp4.mul(b3, t2), Z3 = Fp4.add(X3, Z3), X3 = Fp4.sub(t1, Z3), Z3 = Fp4.add(t1, Z3), Y3 = Fp4.mul(X3, Z3), t1 = Fp4.add(t0, t0), t1 = Fp4.add(t1, t0), t2 = mulA(t2), t4 = Fp4.mul(b3, t4), t1 = Fp4.add(t1, t2), t2 = Fp4.sub(t0, t2), t2 = mulA(t2), t4 = Fp4.add(t4, t2), t0 = Fp4.mul(t1, t4), Y3 = Fp4.add(Y3, t0), t0 = Fp4.mul(t5, t4), X3 = Fp4.mul(t3, X3), X3 = Fp4.sub(X3, t0), t0 = Fp4.mul(t3, t1), Z3 = Fp4.mul(t5, Z3), Z3 = Fp4.add(Z3, t0), new Point(X3, Y3, Z3);
    }
    subtract(other) {
      return aprjpoint(other), this.add(other.negate());
    }
    is0() {
      return this.equals(Point.ZERO);
    }
    /**
     * Constant time multiplication.
     * Uses precomputed tables (signed fixed-window wNAF) when available.
     * Uses scalar blinding and avoids endomorphism splitting in the secret-scalar path.
     * @param scalar - by which the point would be multiplied
     * @returns New point
     */
    multiply(scalar2) {
      if (!Fn.isValidNot0(scalar2))
        throw new RangeError("invalid scalar: out of range");
      let { p, f } = wnaf.mulSecret(this, scalar2, cofactor, normalize);
      return normalize([p, f])[0];
    }
    /**
     * Non-constant-time multiplication. Uses width-4 wNAF with GLV endomorphism splitting
     * when available (two half-width scalars sharing one halved doubling chain).
     * It's faster, but should only be used when you don't care about
     * an exposed secret key e.g. sig verification, which works over *public* keys.
     */
    multiplyUnsafe(scalar2) {
      let p = this, sc = scalar2;
      if (!Fn.isValid(sc))
        throw new RangeError("invalid scalar: out of range");
      if (sc === _0n5 || p.is0())
        return Point.ZERO;
      if (sc === _1n5)
        return p;
      if (wnaf.hasWindowSize(this))
        return wnaf.mulUnsafe(p, sc, normalize);
      let points = [], scalars = [];
      return pushWnafPair(points, scalars, p, sc), mulAddUnsafe(Point, points, scalars);
    }
    /**
     * Non-constant-time double-scalar multiplication `a⋅this + b⋅other` (Strauss–Shamir).
     * Both walks share one doubling chain via {@link mulAddUnsafe}, and GLV endomorphism
     * (when available) halves the chain again by splitting each scalar into two half-width
     * parts. Used by ECDSA verification and public-key recovery for `R = u1⋅G + u2⋅P`.
     * Only for public scalars.
     */
    mulAddUnsafe(a, other, b) {
      aprjpoint(other);
      let points = [], scalars = [];
      return pushWnafPair(points, scalars, this, a), pushWnafPair(points, scalars, other, b), mulAddUnsafe(Point, points, scalars);
    }
    /**
     * Converts Projective point to affine (x, y) coordinates.
     * (X, Y, Z) ∋ (x=X/Z, y=Y/Z).
     * @param invertedZ - Z^-1 (inverted zero) - optional, precomputation is useful for invertBatch
     */
    toAffine(invertedZ) {
      let p = this, iz = invertedZ;
      if (iz != null && !Fp4.isValid(iz))
        throw new RangeError('"invertedZ" expected valid field element');
      let { X, Y, Z } = p;
      if (Fp4.eql(Z, Fp4.ONE))
        return { x: X, y: Y };
      let is0 = p.is0();
      iz == null && (iz = is0 ? Fp4.ONE : Fp4.inv(Z));
      let x = Fp4.mul(X, iz), y = Fp4.mul(Y, iz), zz = Fp4.mul(Z, iz);
      if (is0)
        return { x: Fp4.ZERO, y: Fp4.ZERO };
      if (!Fp4.eql(zz, Fp4.ONE))
        throw new Error("invZ was invalid");
      return { x, y };
    }
    /**
     * Checks whether Point is free of torsion elements (is in prime subgroup).
     * Always torsion-free for cofactor=1 curves.
     */
    isTorsionFree() {
      return cofactor === _1n5 ? !0 : isTorsionFree ? isTorsionFree(Point, this) : wnaf.mulUnsafe(this, CURVE_ORDER).is0();
    }
    clearCofactor() {
      return cofactor === _1n5 ? this : clearCofactor ? clearCofactor(Point, this) : this.multiplyUnsafe(cofactor);
    }
    isSmallOrder() {
      return cofactor === _1n5 ? this.is0() : this.clearCofactor().is0();
    }
    toBytes(isCompressed = !0) {
      return abool(isCompressed, "isCompressed"), this.assertValidity(), encodePoint(Point, this, isCompressed);
    }
    toHex(isCompressed = !0) {
      return bytesToHex2(this.toBytes(isCompressed));
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let normalize = (points) => normalizeZ(Point, points), wnaf = new ScalarMultiplier(Point, randomBytes3);
  return wnaf.bits >= 6 && Point.BASE.precompute(6), Object.freeze(Point.prototype), Object.freeze(Point), Point;
}
function pprefix(hasEvenY) {
  return Uint8Array.of(hasEvenY ? 2 : 3);
}
function getWLengths(Fp4, Fn) {
  return {
    secretKey: Fn.BYTES,
    publicKey: 1 + Fp4.BYTES,
    publicKeyUncompressed: 1 + 2 * Fp4.BYTES,
    publicKeyHasPrefix: !0,
    // Raw compact `(r || s)` signature width; DER and recovered signatures use
    // different lengths outside this helper.
    signature: 2 * Fn.BYTES
  };
}

// node_modules/@noble/curves/abstract/bls.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n6 = BigInt(0), _1n6 = BigInt(1), _2n4 = BigInt(2), _3n4 = BigInt(3);
function NAfDecomposition(a) {
  let res = [];
  for (; a > _1n6; a >>= _1n6)
    (a & _1n6) === _0n6 ? res.unshift(0) : (a & _3n4) === _3n4 ? (res.unshift(-1), a += _1n6) : res.unshift(1);
  return res;
}
function aNonEmpty(arr) {
  if (!Array.isArray(arr) || arr.length === 0)
    throw new Error("expected non-empty array");
}
function createBlsPairing(fields2, G1, G2, params) {
  if (validateObject(fields2, { Fp: "object", Fr: "object", Fp2: "object", Fp12: "object" }, { Fp6: "object" }, "fields"), typeof G1 != "function")
    throw new TypeError('"G1_Point" expected point constructor, got type=' + typeof G1);
  if (typeof G2 != "function")
    throw new TypeError('"G2_Point" expected point constructor, got type=' + typeof G2);
  validateObject(params, { ateLoopSize: "bigint", xNegative: "boolean", twistType: "string" }, { randomBytes: "function", postPrecompute: "function" }, "params");
  let { Fp: Fp4, Fr, Fp2: Fp22, Fp12: Fp122 } = fields2, { twistType, ateLoopSize, xNegative, postPrecompute } = params, fp22 = (c0, c1) => ({ c0, c1 }), fp2f = ({ c0, c1 }) => Object.freeze({ c0, c1 }), add2 = (a, b) => fp22(Fp4.add(a.c0, b.c0), Fp4.add(a.c1, b.c1)), sub2 = (a, b) => fp22(Fp4.sub(a.c0, b.c0), Fp4.sub(a.c1, b.c1)), mul2 = (a, b) => {
    let t0 = Fp4.mul(a.c0, b.c0), t1 = Fp4.mul(a.c1, b.c1);
    return fp22(Fp4.sub(t0, t1), Fp4.sub(Fp4.mul(Fp4.add(a.c0, a.c1), Fp4.add(b.c0, b.c1)), Fp4.add(t0, t1)));
  }, mul2ByFp = (a, rhs) => fp22(Fp4.mul(a.c0, rhs), Fp4.mul(a.c1, rhs)), mul2ByNonresidue = (a) => Fp22.mulByNonresidue(a), mul014ByLine = ({ c0: f0, c1: f1 }, o0, l1, l4, Px, Py) => {
    let o1 = mul2ByFp(l1, Px), o4 = mul2ByFp(l4, Py), { c0: a0, c1: a1, c2: a2 } = f0, { c0: b0, c1: b1, c2: b2 } = f1, t0_0 = mul2(a0, o0), t0_1 = mul2(a1, o1), t0_c0 = add2(mul2ByNonresidue(sub2(mul2(add2(a1, a2), o1), t0_1)), t0_0), t0_c1 = sub2(sub2(mul2(add2(o0, o1), add2(a0, a1)), t0_0), t0_1), t0_c2 = add2(sub2(mul2(add2(a0, a2), o0), t0_0), t0_1), t1_c0 = mul2ByNonresidue(mul2(b2, o4)), t1_c1 = mul2(b0, o4), t1_c2 = mul2(b1, o4), s0 = add2(a0, b0), s1 = add2(a1, b1), s2 = add2(a2, b2), o14 = add2(o1, o4), t2_0 = mul2(s0, o0), t2_1 = mul2(s1, o14), t2_c0 = add2(mul2ByNonresidue(sub2(mul2(add2(s1, s2), o14), t2_1)), t2_0), t2_c1 = sub2(sub2(mul2(add2(o0, o14), add2(s0, s1)), t2_0), t2_1), t2_c2 = add2(sub2(mul2(add2(s0, s2), o0), t2_0), t2_1);
    return Object.freeze({
      c0: Object.freeze({
        c0: fp2f(add2(mul2ByNonresidue(t1_c2), t0_c0)),
        c1: fp2f(add2(t1_c0, t0_c1)),
        c2: fp2f(add2(t1_c1, t0_c2))
      }),
      c1: Object.freeze({
        c0: fp2f(sub2(sub2(t2_c0, t0_c0), t1_c0)),
        c1: fp2f(sub2(sub2(t2_c1, t0_c1), t1_c1)),
        c2: fp2f(sub2(sub2(t2_c2, t0_c2), t1_c2))
      })
    });
  }, mul034ByLine = ({ c0: f0, c1: f1 }, l0, l3, o4, Px, Py) => {
    let o0 = mul2ByFp(l0, Py), o3 = mul2ByFp(l3, Px), { c0: a0, c1: a1, c2: a2 } = f0, { c0: b0, c1: b1, c2: b2 } = f1, a_c0 = mul2(a0, o0), a_c1 = mul2(a1, o0), a_c2 = mul2(a2, o0), b0m = mul2(b0, o3), b1m = mul2(b1, o4), b_c0 = add2(mul2ByNonresidue(sub2(mul2(add2(b1, b2), o4), b1m)), b0m), b_c1 = sub2(sub2(mul2(add2(o3, o4), add2(b0, b1)), b0m), b1m), b_c2 = add2(sub2(mul2(add2(b0, b2), o3), b0m), b1m), s0 = add2(a0, b0), s1 = add2(a1, b1), s2 = add2(a2, b2), o03 = add2(o0, o3), e0m = mul2(s0, o03), e1m = mul2(s1, o4), e_c0 = add2(mul2ByNonresidue(sub2(mul2(add2(s1, s2), o4), e1m)), e0m), e_c1 = sub2(sub2(mul2(add2(o03, o4), add2(s0, s1)), e0m), e1m), e_c2 = add2(sub2(mul2(add2(s0, s2), o03), e0m), e1m);
    return Object.freeze({
      c0: Object.freeze({
        c0: fp2f(add2(mul2ByNonresidue(b_c2), a_c0)),
        c1: fp2f(add2(b_c0, a_c1)),
        c2: fp2f(add2(b_c1, a_c2))
      }),
      c1: Object.freeze({
        c0: fp2f(sub2(sub2(e_c0, a_c0), b_c0)),
        c1: fp2f(sub2(sub2(e_c1, a_c1), b_c1)),
        c2: fp2f(sub2(sub2(e_c2, a_c2), b_c2))
      })
    });
  }, lineFunction;
  if (twistType === "multiplicative")
    lineFunction = (c0, c1, c2, f, Px, Py) => mul014ByLine(f, c0, c1, c2, Px, Py);
  else if (twistType === "divisive")
    lineFunction = (c0, c1, c2, f, Px, Py) => mul034ByLine(f, c2, c1, c0, Px, Py);
  else
    throw new Error("bls: unknown twist type");
  let Fp2div2 = Fp22.div(Fp22.ONE, Fp22.mul(Fp22.ONE, _2n4));
  function pointDouble(ell, Rx, Ry, Rz) {
    let t0 = Fp22.sqr(Ry), t1 = Fp22.sqr(Rz), t2 = Fp22.mulByB(Fp22.mul(t1, _3n4)), t3 = Fp22.mul(t2, _3n4), t4 = Fp22.sub(Fp22.sub(Fp22.sqr(Fp22.add(Ry, Rz)), t1), t0), c0 = Fp22.sub(t2, t0), c1 = Fp22.mul(Fp22.sqr(Rx), _3n4), c2 = Fp22.neg(t4);
    return ell.push([c0, c1, c2]), Rx = Fp22.mul(Fp22.mul(Fp22.mul(Fp22.sub(t0, t3), Rx), Ry), Fp2div2), Ry = Fp22.sub(Fp22.sqr(Fp22.mul(Fp22.add(t0, t3), Fp2div2)), Fp22.mul(Fp22.sqr(t2), _3n4)), Rz = Fp22.mul(t0, t4), { Rx, Ry, Rz };
  }
  function pointAdd(ell, Rx, Ry, Rz, Qx, Qy) {
    let t0 = Fp22.sub(Ry, Fp22.mul(Qy, Rz)), t1 = Fp22.sub(Rx, Fp22.mul(Qx, Rz)), c0 = Fp22.sub(Fp22.mul(t0, Qx), Fp22.mul(t1, Qy)), c1 = Fp22.neg(t0), c2 = t1;
    ell.push([c0, c1, c2]);
    let t2 = Fp22.sqr(t1), t3 = Fp22.mul(t2, t1), t4 = Fp22.mul(t2, Rx), t5 = Fp22.add(Fp22.sub(t3, Fp22.mul(t4, _2n4)), Fp22.mul(Fp22.sqr(t0), Rz));
    return Rx = Fp22.mul(t1, t5), Ry = Fp22.sub(Fp22.mul(Fp22.sub(t4, t5), t0), Fp22.mul(t3, Ry)), Rz = Fp22.mul(Rz, t3), { Rx, Ry, Rz };
  }
  let ATE_NAF = NAfDecomposition(ateLoopSize), calcPairingPrecomputes = (point) => {
    if (!(point instanceof G2))
      throw new TypeError('"point" expected G2 point, got type=' + typeof point);
    let p = point, { x, y } = p.toAffine(), Qx = x, Qy = y, negQy = Fp22.neg(y), Rx = Qx, Ry = Qy, Rz = Fp22.ONE, ell = [];
    for (let bit of ATE_NAF) {
      let cur = [];
      ({ Rx, Ry, Rz } = pointDouble(cur, Rx, Ry, Rz)), bit && ({ Rx, Ry, Rz } = pointAdd(cur, Rx, Ry, Rz, Qx, bit === -1 ? negQy : Qy)), ell.push(cur);
    }
    if (postPrecompute) {
      let last2 = ell[ell.length - 1];
      postPrecompute(Rx, Ry, Rz, Qx, Qy, pointAdd.bind(null, last2));
    }
    return ell;
  };
  function millerLoopBatch(pairs, withFinalExponent = !1) {
    aarray(pairs, "pairs", (pair, title) => {
      if (aarray(pair, title), pair.length !== 3)
        throw new TypeError(`"${title}" expected precompute tuple`);
      aarray(pair[0], title + "[0]");
    });
    let f12 = Fp122.ONE;
    if (pairs.length) {
      let ellLen = pairs[0][0].length;
      for (let i = 0; i < ellLen; i++) {
        i !== 0 && (f12 = Fp122.sqr(f12));
        for (let [ell, Px, Py] of pairs)
          for (let [c0, c1, c2] of ell[i])
            f12 = lineFunction(c0, c1, c2, f12, Px, Py);
      }
    }
    return xNegative && (f12 = Fp122.conjugate(f12)), withFinalExponent ? Fp122.finalExponentiate(f12) : f12;
  }
  function pairingBatch(pairs, withFinalExponent = !0) {
    aarray(pairs, "pairs");
    let res = [];
    for (let i = 0; i < pairs.length; i++) {
      let pair = pairs[i];
      validateObject(pair, { g1: "object", g2: "object" }, {}, "pairs[" + i + "]");
      let { g1: g12, g2: g22 } = pair;
      if (!(g12 instanceof G1))
        throw new TypeError('"pairs[' + i + '].g1" expected G1 point, got type=' + typeof g12);
      if (!(g22 instanceof G2))
        throw new TypeError('"pairs[' + i + '].g2" expected G2 point, got type=' + typeof g22);
      if (g12.is0() || g22.is0())
        throw new Error("pairing is not available for ZERO point");
      g12.assertValidity(), g22.assertValidity();
      let Qa = g12.toAffine();
      res.push([calcPairingPrecomputes(g22), Qa.x, Qa.y]);
    }
    return millerLoopBatch(res, withFinalExponent);
  }
  function pairing(Q, P, withFinalExponent = !0) {
    if (!(Q instanceof G1))
      throw new TypeError('"Q" expected G1 point, got type=' + typeof Q);
    if (!(P instanceof G2))
      throw new TypeError('"P" expected G2 point, got type=' + typeof P);
    return pairingBatch([{ g1: Q, g2: P }], withFinalExponent);
  }
  let lengths = {
    seed: getMinHashLength(Fr.ORDER)
  }, rand = params.randomBytes === void 0 ? randomBytes2 : params.randomBytes, randomSecretKey = (seed) => (seed = seed === void 0 ? rand(lengths.seed) : seed, abytes2(seed, lengths.seed, "seed"), mapHashToField(seed, Fr.ORDER));
  return Object.freeze(lengths), {
    lengths,
    Fr,
    Fp12: Fp122,
    // NOTE: we re-export Fp12 here because pairing results are Fp12!
    millerLoopBatch,
    pairing,
    pairingBatch,
    calcPairingPrecomputes,
    randomSecretKey
  };
}
function createBlsSig(blsPairing, PubPoint, SigPoint, isSigG1, hashToSigCurve, SignatureCoder) {
  let { Fr, Fp12: Fp122, pairingBatch, randomSecretKey, lengths } = blsPairing;
  SignatureCoder || (SignatureCoder = {
    fromBytes: notImplemented,
    fromHex: notImplemented,
    toBytes: notImplemented,
    toHex: notImplemented
  });
  let sigCoder = Object.freeze({ ...SignatureCoder });
  function normPub(point) {
    return point instanceof PubPoint ? point : PubPoint.fromBytes(point);
  }
  function normSig(point) {
    return point instanceof SigPoint ? point : sigCoder.fromBytes(point);
  }
  function amsg(m) {
    if (!(m instanceof SigPoint))
      throw new Error(`expected valid message hashed to ${isSigG1 ? "G1" : "G2"} curve`);
    return m;
  }
  let pair = isSigG1 ? (a, b) => ({ g1: b, g2: a }) : (a, b) => ({ g1: a, g2: b });
  return Object.freeze({
    lengths: Object.freeze({ ...lengths, secretKey: Fr.BYTES }),
    keygen(seed) {
      let secretKey = randomSecretKey(seed), publicKey = this.getPublicKey(secretKey);
      return { secretKey, publicKey };
    },
    // P = pk x G
    getPublicKey(secretKey) {
      let sec;
      try {
        sec = PubPoint.Fn.fromBytes(secretKey);
      } catch (error) {
        throw new Error("invalid private key: " + typeof secretKey, { cause: error });
      }
      return PubPoint.BASE.multiply(sec);
    },
    // S = pk x H(m)
    sign(message, secretKey, unusedArg) {
      if (unusedArg != null)
        throw new Error("sign() expects 2 arguments");
      let sec = PubPoint.Fn.fromBytes(secretKey);
      return amsg(message).assertValidity(), message.multiply(sec);
    },
    // Checks if pairing of public key & hash is equal to pairing of generator & signature.
    // e(P, H(m)) == e(G, S)
    // e(S, G) == e(H(m), P)
    verify(signature, message, publicKey, unusedArg) {
      if (unusedArg != null)
        throw new Error("verify() expects 3 arguments");
      signature = normSig(signature), publicKey = normPub(publicKey);
      let P = publicKey.negate(), G = PubPoint.BASE, Hm = amsg(message), S = signature;
      try {
        let exp = pairingBatch([pair(P, Hm), pair(G, S)]);
        return Fp122.eql(exp, Fp122.ONE);
      } catch {
        return !1;
      }
    },
    // https://ethresear.ch/t/fast-verification-of-multiple-bls-signatures/5407
    // e(G, S) = e(G, SUM(n)(Si)) = MUL(n)(e(G, Si))
    // TODO: maybe `{message: G2Hex, publicKey: G1Hex}[]` instead?
    verifyBatch(signature, items) {
      aNonEmpty(items);
      let sig = normSig(signature), nMessages = items.map((i) => amsg(i.message)), nPublicKeys = items.map((i) => normPub(i.publicKey)), messagePubKeyMap = /* @__PURE__ */ new Map();
      for (let i = 0; i < nPublicKeys.length; i++) {
        let pub = nPublicKeys[i], msg = nMessages[i], keys = messagePubKeyMap.get(msg);
        keys === void 0 && (keys = [], messagePubKeyMap.set(msg, keys)), keys.push(pub);
      }
      let paired = [], G = PubPoint.BASE;
      try {
        for (let [msg, keys] of messagePubKeyMap) {
          let groupPublicKey = keys.reduce((acc, msg2) => acc.add(msg2));
          paired.push(pair(groupPublicKey, msg));
        }
        return paired.push(pair(G.negate(), sig)), Fp122.eql(pairingBatch(paired), Fp122.ONE);
      } catch {
        return !1;
      }
    },
    // Adds a bunch of public key points together.
    // pk1 + pk2 + pk3 = pkA
    aggregatePublicKeys(publicKeys) {
      aNonEmpty(publicKeys), publicKeys = publicKeys.map((pub) => normPub(pub));
      let agg = publicKeys.reduce((sum, p) => sum.add(p), PubPoint.ZERO);
      return agg.assertValidity(), agg;
    },
    // Adds a bunch of signature points together.
    // pk1 + pk2 + pk3 = pkA
    aggregateSignatures(signatures) {
      aNonEmpty(signatures), signatures = signatures.map((sig) => normSig(sig));
      let agg = signatures.reduce((sum, s) => sum.add(s), SigPoint.ZERO);
      return agg.assertValidity(), agg;
    },
    hash(messageBytes, DST) {
      return abytes2(messageBytes), hashToSigCurve(messageBytes, DST === void 0 ? void 0 : { DST });
    },
    Signature: Object.freeze({ ...sigCoder })
  });
}
function blsBasic(fields2, G1_Point2, G2_Point2, params) {
  let { Fp: Fp4, Fr, Fp2: Fp22, Fp6: Fp62, Fp12: Fp122 } = fields2, G1 = { Point: G1_Point2 }, G2 = { Point: G2_Point2 }, pairingRes = createBlsPairing(fields2, G1_Point2, G2_Point2, params), { millerLoopBatch, pairing, pairingBatch, calcPairingPrecomputes, randomSecretKey, lengths } = pairingRes;
  return G1.Point.BASE.precompute(4), Object.freeze(G1), Object.freeze(G2), Object.freeze({
    lengths: Object.freeze(lengths),
    millerLoopBatch,
    pairing,
    pairingBatch,
    G1,
    G2,
    fields: Object.freeze({ Fr, Fp: Fp4, Fp2: Fp22, Fp6: Fp62, Fp12: Fp122 }),
    params: Object.freeze({
      ateLoopSize: params.ateLoopSize,
      xNegative: params.xNegative,
      twistType: params.twistType,
      postPrecompute: params.postPrecompute
    }),
    utils: Object.freeze({
      randomSecretKey,
      calcPairingPrecomputes
    })
  });
}
function blsHashers(fields2, G1_Point2, G2_Point2, params, hasherParams) {
  let base = blsBasic(fields2, G1_Point2, G2_Point2, params);
  validateObject(hasherParams, { hasherOpts: "object", hasherOptsG1: "object", hasherOptsG2: "object" }, { mapToG1: "function", mapToG2: "function" }, "hasherParams");
  let G1Hasher = createHasher2(G1_Point2, hasherParams.mapToG1 === void 0 ? notImplemented : hasherParams.mapToG1, {
    ...hasherParams.hasherOpts,
    ...hasherParams.hasherOptsG1
  }), G2Hasher = createHasher2(G2_Point2, hasherParams.mapToG2 === void 0 ? notImplemented : hasherParams.mapToG2, {
    ...hasherParams.hasherOpts,
    ...hasherParams.hasherOptsG2
  });
  return Object.freeze({ ...base, G1: G1Hasher, G2: G2Hasher });
}
function bls(fields2, G1_Point2, G2_Point2, params, hasherParams, signatureCoders2) {
  let base = blsHashers(fields2, G1_Point2, G2_Point2, params, hasherParams), pairingRes = {
    ...base,
    Fr: base.fields.Fr,
    Fp12: base.fields.Fp12,
    calcPairingPrecomputes: base.utils.calcPairingPrecomputes,
    randomSecretKey: base.utils.randomSecretKey
  }, longSignatures = createBlsSig(pairingRes, G1_Point2, G2_Point2, !1, base.G2.hashToCurve, signatureCoders2?.LongSignature), shortSignatures = createBlsSig(pairingRes, G2_Point2, G1_Point2, !0, base.G1.hashToCurve, signatureCoders2?.ShortSignature);
  return Object.freeze({ ...base, longSignatures, shortSignatures });
}

// node_modules/@noble/curves/abstract/tower.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n7 = /* @__PURE__ */ BigInt(0), _1n7 = /* @__PURE__ */ BigInt(1), _2n5 = /* @__PURE__ */ BigInt(2), _3n5 = /* @__PURE__ */ BigInt(3), _6n = /* @__PURE__ */ BigInt(6), _12n = /* @__PURE__ */ BigInt(12), isObj = (value) => !!value && typeof value == "object";
function calcFrobeniusCoefficients(Fp4, nonResidue, modulus, degree, num = 1, divisor) {
  asafenumber(num, "num"), asafenumber(degree, "degree");
  let divisorN = divisor === void 0 ? degree : divisor;
  asafenumber(divisorN, "divisor");
  let F = Fp4;
  if (typeof modulus != "bigint" || modulus <= _1n7)
    throw new Error("calcFrobeniusCoefficients: expected valid modulus, got " + modulus);
  if (degree <= 0)
    throw new Error("calcFrobeniusCoefficients: expected positive degree, got " + degree);
  if (num <= 0)
    throw new Error("calcFrobeniusCoefficients: expected positive row count, got " + num);
  if (divisorN <= 0)
    throw new Error("calcFrobeniusCoefficients: expected positive divisor, got " + divisorN);
  let _divisor = BigInt(divisorN), towerModulus = modulus ** BigInt(degree), res = [];
  for (let i = 0; i < num; i++) {
    let a = BigInt(i + 1), powers = [];
    for (let j = 0, qPower = _1n7; j < degree; j++) {
      let numer = a * qPower - a;
      if (numer % _divisor)
        throw new Error("calcFrobeniusCoefficients: inexact tower exponent");
      let power = numer / _divisor % towerModulus;
      powers.push(F.pow(nonResidue, power)), qPower *= modulus;
    }
    res.push(powers);
  }
  return res;
}
function psiFrobenius(Fp4, Fp22, base) {
  if (validateField(Fp4), validateField(Fp22), validateObject(Fp22, {
    Fp: "object",
    frobeniusMap: "function",
    fromBigTuple: "function",
    mulByB: "function",
    mulByNonresidue: "function",
    reim: "function",
    Fp4Square: "function",
    NONRESIDUE: "object"
  }, {}), !isObj(base) || Array.isArray(base))
    throw new TypeError('"base" expected Fp2 element, got type=' + typeof base);
  if (!Fp22.isValid(base))
    throw new RangeError('"base" expected valid Fp2 element');
  let PSI_X = Fp22.pow(base, (Fp4.ORDER - _1n7) / _3n5), PSI_Y = Fp22.pow(base, (Fp4.ORDER - _1n7) / _2n5);
  function psi(x, y) {
    let x2 = Fp22.mul(Fp22.frobeniusMap(x, 1), PSI_X), y2 = Fp22.mul(Fp22.frobeniusMap(y, 1), PSI_Y);
    return [x2, y2];
  }
  let PSI2_X = Fp22.pow(base, (Fp4.ORDER ** _2n5 - _1n7) / _3n5), PSI2_Y = Fp22.pow(base, (Fp4.ORDER ** _2n5 - _1n7) / _2n5);
  if (!Fp22.eql(PSI2_Y, Fp22.neg(Fp22.ONE)))
    throw new Error("psiFrobenius: PSI2_Y!==-1");
  function psi2(x, y) {
    return [Fp22.mul(x, PSI2_X), Fp22.neg(y)];
  }
  let mapAffine = (fn) => (c, P) => {
    if (typeof c != "function")
      throw new TypeError('"c" expected point constructor, got type=' + typeof c);
    if (validatePointCons(c), !(P instanceof c))
      throw new TypeError('"P" expected Point instance, got type=' + typeof P);
    let affine = P.toAffine(), p = fn(affine.x, affine.y);
    return c.fromAffine({ x: p[0], y: p[1] });
  }, G2psi3 = mapAffine(psi), G2psi22 = mapAffine(psi2);
  return { psi, psi2, G2psi: G2psi3, G2psi2: G2psi22, PSI_X, PSI_Y, PSI2_X, PSI2_Y };
}
var _Field2 = class {
  ORDER;
  BITS;
  BYTES;
  isLE;
  ZERO;
  ONE;
  Fp;
  NONRESIDUE;
  mulByB;
  Fp_NONRESIDUE;
  Fp_div2;
  constructor(Fp4, opts = {}) {
    let { NONRESIDUE = BigInt(-1), FP2_NONRESIDUE, Fp2mulByB } = opts, ORDER2 = Fp4.ORDER, FP2_ORDER = ORDER2 * ORDER2;
    this.Fp = Fp4, this.ORDER = FP2_ORDER, this.BITS = bitLen(FP2_ORDER), this.BYTES = Math.ceil(bitLen(FP2_ORDER) / 8), this.isLE = Fp4.isLE, this.ZERO = this.create({ c0: Fp4.ZERO, c1: Fp4.ZERO }), this.ONE = this.create({ c0: Fp4.ONE, c1: Fp4.ZERO }), this.Fp_NONRESIDUE = Fp4.create(NONRESIDUE), this.Fp_div2 = Fp4.div(Fp4.ONE, _2n5), this.NONRESIDUE = this.create({ c0: FP2_NONRESIDUE[0], c1: FP2_NONRESIDUE[1] }), this.mulByB = (num) => {
      let { c0, c1 } = Fp2mulByB(num);
      return Object.freeze({ c0, c1 });
    }, Object.freeze(this);
  }
  fromBigTuple(tuple) {
    if (!Array.isArray(tuple) || tuple.length !== 2)
      throw new Error("invalid Fp2.fromBigTuple");
    let [c0, c1] = tuple;
    if (typeof c0 != "bigint" || typeof c1 != "bigint")
      throw new Error("invalid Fp2.fromBigTuple");
    return this.create({ c0, c1 });
  }
  create(num) {
    let { Fp: Fp4 } = this, c0 = Fp4.create(num.c0), c1 = Fp4.create(num.c1);
    return Object.freeze({ c0, c1 });
  }
  isValid(num) {
    if (!isObj(num))
      throw new TypeError("invalid field element: expected object, got " + typeof num);
    let { c0, c1 } = num, { Fp: Fp4 } = this;
    return Fp4.isValid(c0) && Fp4.isValid(c1);
  }
  is0(num) {
    if (!isObj(num))
      return !1;
    let { c0, c1 } = num, { Fp: Fp4 } = this;
    return Fp4.is0(c0) && Fp4.is0(c1);
  }
  isValidNot0(num) {
    return !this.is0(num) && this.isValid(num);
  }
  eql({ c0, c1 }, { c0: r0, c1: r1 }) {
    let { Fp: Fp4 } = this;
    return Fp4.eql(c0, r0) && Fp4.eql(c1, r1);
  }
  neg({ c0, c1 }) {
    let { Fp: Fp4 } = this;
    return Object.freeze({ c0: Fp4.neg(c0), c1: Fp4.neg(c1) });
  }
  pow(num, power) {
    return FpPow(this, num, power);
  }
  invertBatch(nums) {
    return FpInvertBatch(this, nums, !0);
  }
  // Normalized
  add(f1, f2) {
    let { Fp: Fp4 } = this, { c0, c1 } = f1, { c0: r0, c1: r1 } = f2;
    return Object.freeze({
      c0: Fp4.add(c0, r0),
      c1: Fp4.add(c1, r1)
    });
  }
  sub({ c0, c1 }, { c0: r0, c1: r1 }) {
    let { Fp: Fp4 } = this;
    return Object.freeze({
      c0: Fp4.sub(c0, r0),
      c1: Fp4.sub(c1, r1)
    });
  }
  mul({ c0, c1 }, rhs) {
    let { Fp: Fp4 } = this;
    if (typeof rhs == "bigint")
      return Object.freeze({ c0: Fp4.mul(c0, rhs), c1: Fp4.mul(c1, rhs) });
    let { c0: r0, c1: r1 } = rhs, t1 = Fp4.mul(c0, r0), t2 = Fp4.mul(c1, r1), o0 = Fp4.sub(t1, t2), o1 = Fp4.sub(Fp4.mul(Fp4.add(c0, c1), Fp4.add(r0, r1)), Fp4.add(t1, t2));
    return Object.freeze({ c0: o0, c1: o1 });
  }
  sqr({ c0, c1 }) {
    let { Fp: Fp4 } = this, a = Fp4.add(c0, c1), b = Fp4.sub(c0, c1), c = Fp4.add(c0, c0);
    return Object.freeze({ c0: Fp4.mul(a, b), c1: Fp4.mul(c, c1) });
  }
  // NonNormalized stuff
  addN(a, b) {
    return this.add(a, b);
  }
  subN(a, b) {
    return this.sub(a, b);
  }
  mulN(a, b) {
    return this.mul(a, b);
  }
  sqrN(a) {
    return this.sqr(a);
  }
  // Why inversion for bigint inside Fp instead of Fp2? it is even used in that context?
  div(lhs, rhs) {
    let { Fp: Fp4 } = this;
    return this.mul(lhs, typeof rhs == "bigint" ? Fp4.inv(Fp4.create(rhs)) : this.inv(rhs));
  }
  inv({ c0: a, c1: b }) {
    let { Fp: Fp4 } = this, factor = Fp4.inv(Fp4.create(a * a + b * b));
    return Object.freeze({ c0: Fp4.mul(factor, Fp4.create(a)), c1: Fp4.mul(factor, Fp4.create(-b)) });
  }
  sqrt(num) {
    let { Fp: Fp4 } = this, Fp22 = this, { c0, c1 } = num;
    if (Fp4.is0(c1))
      return FpLegendre(Fp4, c0) === 1 ? Fp22.create({ c0: Fp4.sqrt(c0), c1: Fp4.ZERO }) : Fp22.create({ c0: Fp4.ZERO, c1: Fp4.sqrt(Fp4.div(c0, this.Fp_NONRESIDUE)) });
    let a = Fp4.sqrt(Fp4.sub(Fp4.sqr(c0), Fp4.mul(Fp4.sqr(c1), this.Fp_NONRESIDUE))), d = Fp4.mul(Fp4.add(a, c0), this.Fp_div2);
    FpLegendre(Fp4, d) === -1 && (d = Fp4.sub(d, a));
    let a0 = Fp4.sqrt(d), candidateSqrt = Fp22.create({ c0: a0, c1: Fp4.div(Fp4.mul(c1, this.Fp_div2), a0) });
    if (!Fp22.eql(Fp22.sqr(candidateSqrt), num))
      throw new Error("Cannot find square root");
    let x1 = candidateSqrt, x2 = Fp22.neg(x1), { re: re1, im: im1 } = Fp22.reim(x1), { re: re2, im: im2 } = Fp22.reim(x2);
    return im1 > im2 || im1 === im2 && re1 > re2 ? x1 : x2;
  }
  // Same as sgn0_m_eq_2 in RFC 9380
  isOdd(x) {
    let { re: x0, im: x1 } = this.reim(x), sign_0 = x0 % _2n5, zero_0 = x0 === _0n7, sign_1 = x1 % _2n5;
    return BigInt(sign_0 || zero_0 && sign_1) == _1n7;
  }
  // Bytes util
  fromBytes(b) {
    let { Fp: Fp4 } = this;
    if (abytes2(b), b.length !== this.BYTES)
      throw new Error("fromBytes invalid length=" + b.length);
    return this.create({
      c0: Fp4.fromBytes(b.subarray(0, Fp4.BYTES)),
      c1: Fp4.fromBytes(b.subarray(Fp4.BYTES))
    });
  }
  toBytes({ c0, c1 }) {
    return concatBytes2(this.Fp.toBytes(c0), this.Fp.toBytes(c1));
  }
  cmov({ c0, c1 }, { c0: r0, c1: r1 }, c) {
    let { Fp: Fp4 } = this;
    return this.create({
      c0: Fp4.cmov(c0, r0, c),
      c1: Fp4.cmov(c1, r1, c)
    });
  }
  reim({ c0, c1 }) {
    return { re: c0, im: c1 };
  }
  Fp4Square(a, b) {
    let Fp22 = this, a2 = Fp22.sqr(a), b2 = Fp22.sqr(b);
    return {
      first: Fp22.add(Fp22.mulByNonresidue(b2), a2),
      // b² * Nonresidue + a²
      second: Fp22.sub(Fp22.sub(Fp22.sqr(Fp22.add(a, b)), a2), b2)
      // (a + b)² - a² - b²
    };
  }
  // multiply by u + 1
  mulByNonresidue({ c0, c1 }) {
    let { Fp: Fp4, NONRESIDUE: nr } = this;
    return nr.c0 === Fp4.ONE && nr.c1 === Fp4.ONE ? Object.freeze({ c0: Fp4.sub(c0, c1), c1: Fp4.add(c0, c1) }) : nr.c1 === Fp4.ONE ? Object.freeze({
      c0: Fp4.sub(Fp4.mul(c0, nr.c0), c1),
      c1: Fp4.add(c0, Fp4.mul(c1, nr.c0))
    }) : this.mul({ c0, c1 }, nr);
  }
  frobeniusMap(num, power) {
    let { c0, c1 } = num, { Fp: Fp4 } = this;
    return Object.freeze({ c0, c1: power % 2 === 0 ? c1 : Fp4.neg(c1) });
  }
}, _Field6 = class {
  ORDER;
  BITS;
  BYTES;
  isLE;
  ZERO;
  ONE;
  Fp2;
  constructor(Fp22) {
    this.Fp2 = Fp22, this.ORDER = Fp22.Fp.ORDER ** _6n, this.BITS = 3 * Fp22.BITS, this.BYTES = 3 * Fp22.BYTES, this.isLE = Fp22.isLE, this.ZERO = this.create({ c0: Fp22.ZERO, c1: Fp22.ZERO, c2: Fp22.ZERO }), this.ONE = this.create({ c0: Fp22.ONE, c1: Fp22.ZERO, c2: Fp22.ZERO }), Object.freeze(this);
  }
  // Most callers never touch Frobenius maps, so keep the sextic tables lazy:
  // eagerly deriving them dominates `bls12-381.js` / `bn254.js` import time.
  get FROBENIUS_COEFFICIENTS_1() {
    let frob2 = _FROBENIUS_COEFFICIENTS_6.get(this);
    if (frob2)
      return frob2[0];
    let { Fp2: Fp22 } = this, { Fp: Fp4 } = Fp22, rows = calcFrobeniusCoefficients(Fp22, Fp22.NONRESIDUE, Fp4.ORDER, 6, 2, 3), cache = [Object.freeze(rows[0]), Object.freeze(rows[1])];
    return _FROBENIUS_COEFFICIENTS_6.set(this, cache), cache[0];
  }
  get FROBENIUS_COEFFICIENTS_2() {
    let frob2 = _FROBENIUS_COEFFICIENTS_6.get(this);
    return frob2 ? frob2[1] : (this.FROBENIUS_COEFFICIENTS_1, _FROBENIUS_COEFFICIENTS_6.get(this)[1]);
  }
  add({ c0, c1, c2 }, { c0: r0, c1: r1, c2: r2 }) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({
      c0: Fp22.add(c0, r0),
      c1: Fp22.add(c1, r1),
      c2: Fp22.add(c2, r2)
    });
  }
  sub({ c0, c1, c2 }, { c0: r0, c1: r1, c2: r2 }) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({
      c0: Fp22.sub(c0, r0),
      c1: Fp22.sub(c1, r1),
      c2: Fp22.sub(c2, r2)
    });
  }
  mul({ c0, c1, c2 }, rhs) {
    let { Fp2: Fp22 } = this;
    if (typeof rhs == "bigint")
      return Object.freeze({
        c0: Fp22.mul(c0, rhs),
        c1: Fp22.mul(c1, rhs),
        c2: Fp22.mul(c2, rhs)
      });
    let { c0: r0, c1: r1, c2: r2 } = rhs, t0 = Fp22.mul(c0, r0), t1 = Fp22.mul(c1, r1), t2 = Fp22.mul(c2, r2);
    return Object.freeze({
      // t0 + (c1 + c2) * (r1 * r2) - (T1 + T2) * (u + 1)
      c0: Fp22.add(t0, Fp22.mulByNonresidue(Fp22.sub(Fp22.mul(Fp22.add(c1, c2), Fp22.add(r1, r2)), Fp22.add(t1, t2)))),
      // (c0 + c1) * (r0 + r1) - (T0 + T1) + T2 * (u + 1)
      c1: Fp22.add(Fp22.sub(Fp22.mul(Fp22.add(c0, c1), Fp22.add(r0, r1)), Fp22.add(t0, t1)), Fp22.mulByNonresidue(t2)),
      // T1 + (c0 + c2) * (r0 + r2) - T0 + T2
      c2: Fp22.sub(Fp22.add(t1, Fp22.mul(Fp22.add(c0, c2), Fp22.add(r0, r2))), Fp22.add(t0, t2))
    });
  }
  sqr({ c0, c1, c2 }) {
    let { Fp2: Fp22 } = this, t0 = Fp22.sqr(c0), t1 = Fp22.mul(Fp22.mul(c0, c1), _2n5), t3 = Fp22.mul(Fp22.mul(c1, c2), _2n5), t4 = Fp22.sqr(c2);
    return Object.freeze({
      c0: Fp22.add(Fp22.mulByNonresidue(t3), t0),
      // T3 * (u + 1) + T0
      c1: Fp22.add(Fp22.mulByNonresidue(t4), t1),
      // T4 * (u + 1) + T1
      // T1 + (c0 - c1 + c2)² + T3 - T0 - T4
      c2: Fp22.sub(Fp22.sub(Fp22.add(Fp22.add(t1, Fp22.sqr(Fp22.add(Fp22.sub(c0, c1), c2))), t3), t0), t4)
    });
  }
  addN(a, b) {
    return this.add(a, b);
  }
  subN(a, b) {
    return this.sub(a, b);
  }
  mulN(a, b) {
    return this.mul(a, b);
  }
  sqrN(a) {
    return this.sqr(a);
  }
  create(num) {
    let { Fp2: Fp22 } = this, c0 = Fp22.create(num.c0), c1 = Fp22.create(num.c1), c2 = Fp22.create(num.c2);
    return Object.freeze({ c0, c1, c2 });
  }
  isValid(num) {
    if (!isObj(num))
      throw new TypeError("invalid field element: expected object, got " + typeof num);
    let { c0, c1, c2 } = num, { Fp2: Fp22 } = this;
    return Fp22.isValid(c0) && Fp22.isValid(c1) && Fp22.isValid(c2);
  }
  is0(num) {
    if (!isObj(num))
      return !1;
    let { c0, c1, c2 } = num, { Fp2: Fp22 } = this;
    return Fp22.is0(c0) && Fp22.is0(c1) && Fp22.is0(c2);
  }
  isValidNot0(num) {
    return !this.is0(num) && this.isValid(num);
  }
  neg({ c0, c1, c2 }) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({ c0: Fp22.neg(c0), c1: Fp22.neg(c1), c2: Fp22.neg(c2) });
  }
  eql({ c0, c1, c2 }, { c0: r0, c1: r1, c2: r2 }) {
    let { Fp2: Fp22 } = this;
    return Fp22.eql(c0, r0) && Fp22.eql(c1, r1) && Fp22.eql(c2, r2);
  }
  sqrt(_) {
    return notImplemented();
  }
  // Do we need division by bigint at all? Should be done via order:
  div(lhs, rhs) {
    let { Fp2: Fp22 } = this, { Fp: Fp4 } = Fp22;
    return this.mul(lhs, typeof rhs == "bigint" ? Fp4.inv(Fp4.create(rhs)) : this.inv(rhs));
  }
  pow(num, power) {
    return FpPow(this, num, power);
  }
  invertBatch(nums) {
    return FpInvertBatch(this, nums, !0);
  }
  inv({ c0, c1, c2 }) {
    let { Fp2: Fp22 } = this, t0 = Fp22.sub(Fp22.sqr(c0), Fp22.mulByNonresidue(Fp22.mul(c2, c1))), t1 = Fp22.sub(Fp22.mulByNonresidue(Fp22.sqr(c2)), Fp22.mul(c0, c1)), t2 = Fp22.sub(Fp22.sqr(c1), Fp22.mul(c0, c2)), t4 = Fp22.inv(Fp22.add(Fp22.mulByNonresidue(Fp22.add(Fp22.mul(c2, t1), Fp22.mul(c1, t2))), Fp22.mul(c0, t0)));
    return Object.freeze({ c0: Fp22.mul(t4, t0), c1: Fp22.mul(t4, t1), c2: Fp22.mul(t4, t2) });
  }
  // Bytes utils
  fromBytes(b) {
    let { Fp2: Fp22 } = this;
    if (abytes2(b), b.length !== this.BYTES)
      throw new Error("fromBytes invalid length=" + b.length);
    let B2 = Fp22.BYTES;
    return this.create({
      c0: Fp22.fromBytes(b.subarray(0, B2)),
      c1: Fp22.fromBytes(b.subarray(B2, B2 * 2)),
      c2: Fp22.fromBytes(b.subarray(2 * B2))
    });
  }
  toBytes({ c0, c1, c2 }) {
    let { Fp2: Fp22 } = this;
    return concatBytes2(Fp22.toBytes(c0), Fp22.toBytes(c1), Fp22.toBytes(c2));
  }
  cmov({ c0, c1, c2 }, { c0: r0, c1: r1, c2: r2 }, c) {
    let { Fp2: Fp22 } = this;
    return this.create({
      c0: Fp22.cmov(c0, r0, c),
      c1: Fp22.cmov(c1, r1, c),
      c2: Fp22.cmov(c2, r2, c)
    });
  }
  fromBigSix(tuple) {
    let { Fp2: Fp22 } = this;
    if (!Array.isArray(tuple) || tuple.length !== 6)
      throw new Error("invalid Fp6.fromBigSix");
    for (let i = 0; i < 6; i++)
      if (typeof tuple[i] != "bigint")
        throw new Error("invalid Fp6.fromBigSix");
    let t = tuple;
    return this.create({
      c0: Fp22.fromBigTuple(t.slice(0, 2)),
      c1: Fp22.fromBigTuple(t.slice(2, 4)),
      c2: Fp22.fromBigTuple(t.slice(4, 6))
    });
  }
  frobeniusMap(num, power) {
    let { c0, c1, c2 } = num;
    if (power % 6 === 0)
      return Object.freeze({ c0, c1, c2 });
    let { Fp2: Fp22 } = this;
    return Object.freeze({
      c0: Fp22.frobeniusMap(c0, power),
      c1: Fp22.mul(Fp22.frobeniusMap(c1, power), this.FROBENIUS_COEFFICIENTS_1[power % 6]),
      c2: Fp22.mul(Fp22.frobeniusMap(c2, power), this.FROBENIUS_COEFFICIENTS_2[power % 6])
    });
  }
  mulByFp2({ c0, c1, c2 }, rhs) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({
      c0: Fp22.mul(c0, rhs),
      c1: Fp22.mul(c1, rhs),
      c2: Fp22.mul(c2, rhs)
    });
  }
  mulByNonresidue({ c0, c1, c2 }) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({ c0: Fp22.mulByNonresidue(c2), c1: c0, c2: c1 });
  }
  // Sparse multiplication
  mul1({ c0, c1, c2 }, b1) {
    let { Fp2: Fp22 } = this;
    return Object.freeze({
      c0: Fp22.mulByNonresidue(Fp22.mul(c2, b1)),
      c1: Fp22.mul(c0, b1),
      c2: Fp22.mul(c1, b1)
    });
  }
  // Sparse multiplication
  mul01({ c0, c1, c2 }, b0, b1) {
    let { Fp2: Fp22 } = this, t0 = Fp22.mul(c0, b0), t1 = Fp22.mul(c1, b1);
    return Object.freeze({
      // ((c1 + c2) * b1 - T1) * (u + 1) + T0
      c0: Fp22.add(Fp22.mulByNonresidue(Fp22.sub(Fp22.mul(Fp22.add(c1, c2), b1), t1)), t0),
      // (b0 + b1) * (c0 + c1) - T0 - T1
      c1: Fp22.sub(Fp22.sub(Fp22.mul(Fp22.add(b0, b1), Fp22.add(c0, c1)), t0), t1),
      // (c0 + c2) * b0 - T0 + T1
      c2: Fp22.add(Fp22.sub(Fp22.mul(Fp22.add(c0, c2), b0), t0), t1)
    });
  }
}, _FROBENIUS_COEFFICIENTS_6 = /* @__PURE__ */ new WeakMap(), _Field12 = class {
  ORDER;
  BITS;
  BYTES;
  isLE;
  ZERO;
  ONE;
  Fp6;
  X_LEN;
  finalExponentiate;
  constructor(Fp62, opts) {
    let { X_LEN, Fp12finalExponentiate } = opts, { Fp2: Fp22 } = Fp62, { Fp: Fp4 } = Fp22;
    this.Fp6 = Fp62, this.ORDER = Fp4.ORDER ** _12n, this.BITS = 2 * Fp62.BITS, this.BYTES = 2 * Fp62.BYTES, this.isLE = Fp62.isLE, this.ZERO = this.create({ c0: Fp62.ZERO, c1: Fp62.ZERO }), this.ONE = this.create({ c0: Fp62.ONE, c1: Fp62.ZERO }), this.X_LEN = X_LEN, this.finalExponentiate = (num) => {
      let copy2 = ({ c0, c1 }) => Object.freeze({ c0, c1 }), copy6 = ({ c0, c1, c2 }) => Object.freeze({ c0: copy2(c0), c1: copy2(c1), c2: copy2(c2) }), res = Fp12finalExponentiate(num);
      return Object.freeze({ c0: copy6(res.c0), c1: copy6(res.c1) });
    }, Object.freeze(this);
  }
  // Keep the degree-12 Frobenius row lazy too; after the first lookup the cached
  // array is reused exactly like the old eager table.
  get FROBENIUS_COEFFICIENTS() {
    let frob2 = _FROBENIUS_COEFFICIENTS_12.get(this);
    if (frob2)
      return frob2;
    let { Fp2: Fp22 } = this.Fp6, { Fp: Fp4 } = Fp22, cache = Object.freeze(calcFrobeniusCoefficients(Fp22, Fp22.NONRESIDUE, Fp4.ORDER, 12, 1, 6)[0]);
    return _FROBENIUS_COEFFICIENTS_12.set(this, cache), cache;
  }
  create(num) {
    let { Fp6: Fp62 } = this, c0 = Fp62.create(num.c0), c1 = Fp62.create(num.c1);
    return Object.freeze({ c0, c1 });
  }
  isValid(num) {
    if (!isObj(num))
      throw new TypeError("invalid field element: expected object, got " + typeof num);
    let { c0, c1 } = num, { Fp6: Fp62 } = this;
    return Fp62.isValid(c0) && Fp62.isValid(c1);
  }
  is0(num) {
    if (!isObj(num))
      return !1;
    let { c0, c1 } = num, { Fp6: Fp62 } = this;
    return Fp62.is0(c0) && Fp62.is0(c1);
  }
  isValidNot0(num) {
    return !this.is0(num) && this.isValid(num);
  }
  neg({ c0, c1 }) {
    let { Fp6: Fp62 } = this;
    return Object.freeze({ c0: Fp62.neg(c0), c1: Fp62.neg(c1) });
  }
  eql({ c0, c1 }, { c0: r0, c1: r1 }) {
    let { Fp6: Fp62 } = this;
    return Fp62.eql(c0, r0) && Fp62.eql(c1, r1);
  }
  sqrt(_) {
    return notImplemented();
  }
  inv({ c0, c1 }) {
    let { Fp6: Fp62 } = this, t = Fp62.inv(Fp62.sub(Fp62.sqr(c0), Fp62.mulByNonresidue(Fp62.sqr(c1))));
    return Object.freeze({ c0: Fp62.mul(c0, t), c1: Fp62.neg(Fp62.mul(c1, t)) });
  }
  div(lhs, rhs) {
    let { Fp6: Fp62 } = this, { Fp2: Fp22 } = Fp62, { Fp: Fp4 } = Fp22;
    return this.mul(lhs, typeof rhs == "bigint" ? Fp4.inv(Fp4.create(rhs)) : this.inv(rhs));
  }
  pow(num, power) {
    return FpPow(this, num, power);
  }
  invertBatch(nums) {
    return FpInvertBatch(this, nums, !0);
  }
  // Normalized
  add({ c0, c1 }, { c0: r0, c1: r1 }) {
    let { Fp6: Fp62 } = this;
    return Object.freeze({
      c0: Fp62.add(c0, r0),
      c1: Fp62.add(c1, r1)
    });
  }
  sub({ c0, c1 }, { c0: r0, c1: r1 }) {
    let { Fp6: Fp62 } = this;
    return Object.freeze({
      c0: Fp62.sub(c0, r0),
      c1: Fp62.sub(c1, r1)
    });
  }
  mul({ c0, c1 }, rhs) {
    let { Fp6: Fp62 } = this;
    if (typeof rhs == "bigint")
      return Object.freeze({ c0: Fp62.mul(c0, rhs), c1: Fp62.mul(c1, rhs) });
    let { c0: r0, c1: r1 } = rhs, t1 = Fp62.mul(c0, r0), t2 = Fp62.mul(c1, r1);
    return Object.freeze({
      c0: Fp62.add(t1, Fp62.mulByNonresidue(t2)),
      // T1 + T2 * v
      // (c0 + c1) * (r0 + r1) - (T1 + T2)
      c1: Fp62.sub(Fp62.mul(Fp62.add(c0, c1), Fp62.add(r0, r1)), Fp62.add(t1, t2))
    });
  }
  sqr({ c0, c1 }) {
    let { Fp6: Fp62 } = this, ab = Fp62.mul(c0, c1);
    return Object.freeze({
      // (c1 * v + c0) * (c0 + c1) - AB - AB * v
      c0: Fp62.sub(Fp62.sub(Fp62.mul(Fp62.add(Fp62.mulByNonresidue(c1), c0), Fp62.add(c0, c1)), ab), Fp62.mulByNonresidue(ab)),
      c1: Fp62.add(ab, ab)
    });
  }
  // NonNormalized stuff
  addN(a, b) {
    return this.add(a, b);
  }
  subN(a, b) {
    return this.sub(a, b);
  }
  mulN(a, b) {
    return this.mul(a, b);
  }
  sqrN(a) {
    return this.sqr(a);
  }
  // Bytes utils
  fromBytes(b) {
    let { Fp6: Fp62 } = this;
    if (abytes2(b), b.length !== this.BYTES)
      throw new Error("fromBytes invalid length=" + b.length);
    return this.create({
      c0: Fp62.fromBytes(b.subarray(0, Fp62.BYTES)),
      c1: Fp62.fromBytes(b.subarray(Fp62.BYTES))
    });
  }
  toBytes({ c0, c1 }) {
    let { Fp6: Fp62 } = this;
    return concatBytes2(Fp62.toBytes(c0), Fp62.toBytes(c1));
  }
  cmov({ c0, c1 }, { c0: r0, c1: r1 }, c) {
    let { Fp6: Fp62 } = this;
    return this.create({
      c0: Fp62.cmov(c0, r0, c),
      c1: Fp62.cmov(c1, r1, c)
    });
  }
  // Utils
  // toString() {
  //   return '' + 'Fp12(' + this.c0 + this.c1 + '* w');
  // },
  // fromTuple(c: [Fp6, Fp6]) {
  //   return new Fp12(...c);
  // }
  fromBigTwelve(tuple) {
    let { Fp6: Fp62 } = this;
    if (!Array.isArray(tuple) || tuple.length !== 12)
      throw new Error("invalid Fp12.fromBigTwelve");
    for (let i = 0; i < 12; i++)
      if (typeof tuple[i] != "bigint")
        throw new Error("invalid Fp12.fromBigTwelve");
    let t = tuple;
    return this.create({
      c0: Fp62.fromBigSix(t.slice(0, 6)),
      c1: Fp62.fromBigSix(t.slice(6, 12))
    });
  }
  // Raises to q**i -th power
  frobeniusMap(lhs, power) {
    let p = power % 12;
    if (p === 0)
      return Object.freeze({ c0: lhs.c0, c1: lhs.c1 });
    if (p === 6)
      return this.conjugate(lhs);
    let { Fp6: Fp62 } = this, { Fp2: Fp22 } = Fp62, { c0, c1, c2 } = Fp62.frobeniusMap(lhs.c1, power), coeff = this.FROBENIUS_COEFFICIENTS[p];
    return Object.freeze({
      c0: Fp62.frobeniusMap(lhs.c0, power),
      c1: Object.freeze({
        c0: Fp22.mul(c0, coeff),
        c1: Fp22.mul(c1, coeff),
        c2: Fp22.mul(c2, coeff)
      })
    });
  }
  mulByFp2({ c0, c1 }, rhs) {
    let { Fp6: Fp62 } = this;
    return Object.freeze({
      c0: Fp62.mulByFp2(c0, rhs),
      c1: Fp62.mulByFp2(c1, rhs)
    });
  }
  conjugate({ c0, c1 }) {
    return Object.freeze({ c0, c1: this.Fp6.neg(c1) });
  }
  // A cyclotomic group is a subgroup of Fp^n defined by
  //   GΦₙ(p) = {α ∈ Fpⁿ : α^Φₙ(p) = 1}
  // The result of any pairing is in a cyclotomic subgroup
  // https://eprint.iacr.org/2009/565.pdf
  // https://eprint.iacr.org/2010/354.pdf
  _cyclotomicSquare({ c0, c1 }) {
    let { Fp6: Fp62 } = this, { Fp2: Fp22 } = Fp62, { c0: c0c0, c1: c0c1, c2: c0c2 } = c0, { c0: c1c0, c1: c1c1, c2: c1c2 } = c1, { first: t3, second: t4 } = Fp22.Fp4Square(c0c0, c1c1), { first: t5, second: t6 } = Fp22.Fp4Square(c1c0, c0c2), { first: t7, second: t8 } = Fp22.Fp4Square(c0c1, c1c2), t9 = Fp22.mulByNonresidue(t8);
    return Object.freeze({
      c0: Object.freeze({
        c0: Fp22.add(Fp22.mul(Fp22.sub(t3, c0c0), _2n5), t3),
        // 2 * (T3 - c0c0)  + T3
        c1: Fp22.add(Fp22.mul(Fp22.sub(t5, c0c1), _2n5), t5),
        // 2 * (T5 - c0c1)  + T5
        c2: Fp22.add(Fp22.mul(Fp22.sub(t7, c0c2), _2n5), t7)
      }),
      // 2 * (T7 - c0c2)  + T7
      c1: Object.freeze({
        c0: Fp22.add(Fp22.mul(Fp22.add(t9, c1c0), _2n5), t9),
        // 2 * (T9 + c1c0) + T9
        c1: Fp22.add(Fp22.mul(Fp22.add(t4, c1c1), _2n5), t4),
        // 2 * (T4 + c1c1) + T4
        c2: Fp22.add(Fp22.mul(Fp22.add(t6, c1c2), _2n5), t6)
      })
    });
  }
  // https://eprint.iacr.org/2009/565.pdf
  _cyclotomicExp(num, n) {
    if (aInRange("cyclotomic exponent", n, _0n7, _1n7 << BigInt(this.X_LEN)), n === _0n7)
      return this.ONE;
    let z = num;
    for (let i = bitLen(n) - 2; i >= 0; i--)
      z = this._cyclotomicSquare(z), bitGet(n, i) && (z = this.mul(z, num));
    return z;
  }
}, _FROBENIUS_COEFFICIENTS_12 = /* @__PURE__ */ new WeakMap();
function tower12(opts) {
  if (validateObject(opts, {
    ORDER: "bigint",
    X_LEN: "number",
    FP2_NONRESIDUE: "object",
    Fp2mulByB: "function",
    Fp12finalExponentiate: "function"
  }, { NONRESIDUE: "bigint" }), asafenumber(opts.X_LEN, "X_LEN"), opts.X_LEN < 1)
    throw new Error("invalid X_LEN");
  let nonresidue = opts.FP2_NONRESIDUE;
  if (!Array.isArray(nonresidue) || nonresidue.length !== 2)
    throw new Error("invalid FP2_NONRESIDUE");
  if (typeof nonresidue[0] != "bigint" || typeof nonresidue[1] != "bigint")
    throw new Error("invalid FP2_NONRESIDUE");
  let Fp4 = Field(opts.ORDER), Fp22 = new _Field2(Fp4, opts), Fp62 = new _Field6(Fp22), Fp122 = new _Field12(Fp62, opts);
  return { Fp: Fp4, Fp2: Fp22, Fp6: Fp62, Fp12: Fp122 };
}

// node_modules/@noble/curves/bls12-381.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n8 = BigInt(0), _1n8 = BigInt(1), _2n6 = BigInt(2), _3n6 = BigInt(3), _4n5 = BigInt(4), BLS_X = BigInt("0xd201000000010000"), BLS_X_LEN = bitLen(BLS_X), bls12_381_CURVE_G1 = {
  p: BigInt("0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"),
  n: BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
  h: BigInt("0x396c8c005555e1568c00aaab0000aaab"),
  a: _0n8,
  b: _4n5,
  Gx: BigInt("0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"),
  Gy: BigInt("0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1")
}, bls12_381_Fr = Field(bls12_381_CURVE_G1.n, {
  modFromBytes: !0
});
function bls12FromCompressed(g0, g12, { g2: g22, g3, g4, g5 }) {
  return { c0: { c0: g0, c1: g4, c2: g3 }, c1: { c0: g22, c1: g12, c2: g5 } };
}
function bls12Compress({ c0, c1 }) {
  return { g2: c1.c0, g3: c0.c2, g4: c0.c1, g5: c1.c2 };
}
function bls12CyclotomicSquareCompressed({ g2: g22, g3, g4, g5 }) {
  let { first: h23c0, second: h23c1 } = Fp2.Fp4Square(g4, g5), { first: h45c0, second: h45c1 } = Fp2.Fp4Square(g22, g3), d2 = Fp2.add(g22, g22), d3 = Fp2.add(g3, g3), d4 = Fp2.add(g4, g4), d5 = Fp2.add(g5, g5);
  return {
    g2: Fp2.add(Fp2.mul(Fp2.mulByNonresidue(h23c1), _3n6), d2),
    g3: Fp2.sub(Fp2.mul(h23c0, _3n6), d3),
    g4: Fp2.sub(Fp2.mul(h45c0, _3n6), d4),
    g5: Fp2.add(Fp2.mul(h45c1, _3n6), d5)
  };
}
function bls12RecoverG1Ratio({ g2: g22, g3, g4, g5 }) {
  return Fp2.is0(g22) ? { num: Fp2.mul(Fp2.mul(g4, g5), _2n6), den: g3 } : {
    num: Fp2.add(Fp2.sub(Fp2.mul(Fp2.sqr(g4), _3n6), Fp2.mul(g3, _2n6)), Fp2.mulByNonresidue(Fp2.sqr(g5))),
    den: Fp2.mul(g22, _4n5)
  };
}
function bls12RecoverG0(g12, { g2: g22, g3, g4, g5 }) {
  let g3g4 = Fp2.mul(g3, g4), t = Fp2.add(Fp2.sub(Fp2.mul(Fp2.sub(Fp2.sqr(g12), g3g4), _2n6), g3g4), Fp2.mul(g22, g5));
  return Fp2.add(Fp2.mulByNonresidue(t), Fp2.ONE);
}
function bls12CyclotomicExpCompressed(num, squarings) {
  let gs = [], g = bls12Compress(num);
  for (let count of squarings) {
    for (let i = 0; i < count; i++)
      g = bls12CyclotomicSquareCompressed(g);
    gs.push(g);
  }
  let isOne = gs.map(({ g2: g22, g3 }) => Fp2.is0(g22) && Fp2.is0(g3)), ratios = gs.map(bls12RecoverG1Ratio), invDens = Fp2.invertBatch(ratios.map(({ den }) => den)), elems = gs.map((compressed, i) => {
    if (isOne[i])
      return Fp12.ONE;
    let g12 = Fp2.mul(ratios[i].num, invDens[i]);
    return bls12FromCompressed(bls12RecoverG0(g12, compressed), g12, compressed);
  });
  return { result: Fp12.mul(Fp12.mul(elems[0], elems[1]), elems[2]), last: elems[2] };
}
function bls12CyclotomicExpX(num) {
  let { result, last: last2 } = bls12CyclotomicExpCompressed(num, [16, 32, 9]), r = result, s = last2;
  for (let i = 0; i < 3; i++)
    s = Fp12._cyclotomicSquare(s);
  r = Fp12.mul(r, s);
  for (let i = 0; i < 2; i++)
    s = Fp12._cyclotomicSquare(s);
  return r = Fp12.mul(r, s), s = Fp12._cyclotomicSquare(s), Fp12.mul(r, s);
}
var { Fp, Fp2, Fp6, Fp12 } = tower12({
  ORDER: bls12_381_CURVE_G1.p,
  X_LEN: BLS_X_LEN,
  // Finite extension field over irreducible polynominal.
  // Fp(u) / (u² - β) where β = -1
  // Public `Fp2.NONRESIDUE` below is the sextic-tower value `(1, 1) = u + 1`;
  // the quadratic non-residue for the base Fp2 construction is still `-1`.
  FP2_NONRESIDUE: [_1n8, _1n8],
  Fp2mulByB: ({ c0, c1 }) => {
    let t0 = Fp.mul(c0, _4n5), t1 = Fp.mul(c1, _4n5);
    return { c0: Fp.sub(t0, t1), c1: Fp.add(t0, t1) };
  },
  Fp12finalExponentiate: (num) => {
    let powMinusX = (num2) => Fp12.conjugate(bls12CyclotomicExpX(num2)), t0 = Fp12.div(Fp12.frobeniusMap(num, 6), num), t1 = Fp12.mul(Fp12.frobeniusMap(t0, 2), t0), t2 = powMinusX(t1), t3 = Fp12.mul(Fp12.conjugate(Fp12._cyclotomicSquare(t1)), t2), t4 = powMinusX(t3), t5 = powMinusX(t4), t6 = Fp12.mul(powMinusX(t5), Fp12._cyclotomicSquare(t2)), t7 = powMinusX(t6), t2_t5_pow_q2 = Fp12.frobeniusMap(Fp12.mul(t2, t5), 2), t4_t1_pow_q3 = Fp12.frobeniusMap(Fp12.mul(t4, t1), 3), t6_t1c_pow_q1 = Fp12.frobeniusMap(Fp12.mul(t6, Fp12.conjugate(t1)), 1), t7_t3c_t1 = Fp12.mul(Fp12.mul(t7, Fp12.conjugate(t3)), t1);
    return Fp12.mul(Fp12.mul(Fp12.mul(t2_t5_pow_q2, t4_t1_pow_q3), t6_t1c_pow_q1), t7_t3c_t1);
  }
}), frob, getFrob = () => frob || (frob = psiFrobenius(Fp, Fp2, Fp2.div(Fp2.ONE, Fp2.NONRESIDUE))), G2psi = (c, P) => {
  let fn = getFrob().G2psi;
  return G2psi = fn, fn(c, P);
}, G2psi2 = (c, P) => {
  let fn = getFrob().G2psi2;
  return G2psi2 = fn, fn(c, P);
}, hasher_opts = Object.freeze({
  DST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
  encodeDST: "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
  p: Fp.ORDER,
  m: 2,
  k: 128,
  expand: "xmd",
  hash: sha256
}), bls12_381_CURVE_G2 = {
  p: Fp2.ORDER,
  n: bls12_381_CURVE_G1.n,
  h: BigInt("0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5"),
  a: Fp2.ZERO,
  b: Fp2.fromBigTuple([_4n5, _4n5]),
  Gx: Fp2.fromBigTuple([
    BigInt("0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"),
    BigInt("0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e")
  ]),
  Gy: Fp2.fromBigTuple([
    BigInt("0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801"),
    BigInt("0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be")
  ])
}, sortBit = (parts, p) => {
  for (let part of parts)
    if (part !== _0n8)
      return !!(part * _2n6 / p);
  return !1;
}, fp2 = {
  // Generic tower bytes use `c0 || c1`, but the BLS12-381 G2 point/signature wire encoding uses
  // `c1 || c0`, so keep this local wrapper instead of changing generic field serialization.
  encode({ c0, c1 }) {
    let { BYTES: L } = Fp;
    return concatBytes2(numberToBytesBE(c1, L), numberToBytesBE(c0, L));
  },
  decode(bytes) {
    let { BYTES: L } = Fp;
    return Fp2.create({
      c0: decodeFp(bytes.subarray(L)),
      c1: decodeFp(bytes.subarray(0, L))
    });
  }
}, BaseFp = Fp;
function decodeFp(bytes) {
  return Fp.fromBytes(bytes);
}
var coder = (name, Fp4, b, encode, decode, yparts) => {
  let F = Fp4, enc = encode, dec = decode, W = F.BYTES;
  return (allowUncompressed) => ({
    encode(point, compressed = !0) {
      if (!compressed && !allowUncompressed)
        throw new Error("invalid signature: expected compressed encoding");
      let infinity = point.is0(), { x, y } = point.toAffine(), bytes = compressed ? enc(x) : concatBytes2(enc(x), enc(y)), sort;
      return compressed && !infinity && (sort = sortBit(yparts(y), BaseFp.ORDER)), setMask(bytes, { compressed, infinity, sort });
    },
    decode(bytes) {
      let raw = allowUncompressed ? abytes2(bytes, void 0, "point") : abytes2(bytes, W, "signature"), { compressed, infinity, sort, value } = parseMask(raw);
      if (!allowUncompressed && !compressed)
        throw new Error("invalid signature: expected compressed encoding");
      let len = compressed ? W : 2 * W;
      if (value.length !== len)
        throw new Error(`invalid ${name} point: expected ${len} bytes`);
      if (infinity) {
        for (let b2 of value)
          if (b2)
            throw new Error(`invalid ${name} point: non-canonical zero`);
        return { x: F.ZERO, y: F.ZERO };
      }
      let x = dec(compressed ? value : value.subarray(0, W)), y;
      if (compressed) {
        if (y = F.sqrt(F.add(F.pow(x, _3n6), b)), !y)
          throw new Error(`invalid ${name} point: compressed`);
        sortBit(yparts(y), BaseFp.ORDER) !== sort && (y = F.neg(y));
      } else
        y = dec(value.subarray(W));
      if (!compressed && F.is0(x) && F.is0(y))
        throw new Error(`invalid ${name} point: uncompressed`);
      return { x, y };
    }
  });
};
function validateMask({ compressed, infinity, sort }) {
  if (!compressed && !infinity && sort || // 0010_0000 = 0x20
  !compressed && infinity && sort || // 0110_0000 = 0x60
  compressed && infinity && sort)
    throw new Error("invalid encoding flag");
}
function parseMask(bytes) {
  bytes = copyBytes(bytes);
  let mask = bytes[0] & 224, compressed = !!(mask >> 7 & 1), infinity = !!(mask >> 6 & 1), sort = !!(mask >> 5 & 1);
  return validateMask({ compressed, infinity, sort }), bytes[0] &= 31, { compressed, infinity, sort, value: bytes };
}
function setMask(bytes, mask) {
  if (bytes[0] & 224)
    throw new Error("setMask: non-empty mask");
  return validateMask({ compressed: !!mask.compressed, infinity: !!mask.infinity, sort: !!mask.sort }), mask.compressed && (bytes[0] |= 128), mask.infinity && (bytes[0] |= 64), mask.sort && (bytes[0] |= 32), bytes;
}
var g1coder = coder("G1", Fp, Fp.create(bls12_381_CURVE_G1.b), (x) => numberToBytesBE(x, Fp.BYTES), decodeFp, (y) => [y]), g1 = { point: g1coder(!0), sig: g1coder(!1) }, signatureG1ToBytes = (point) => (point.assertValidity(), g1.sig.encode(point));
function signatureG1FromBytes(bytes) {
  let point = bls12_381.G1.Point.fromAffine(g1.sig.decode(bytes));
  return point.assertValidity(), point;
}
var g2coder = coder("G2", Fp2, bls12_381_CURVE_G2.b, fp2.encode, fp2.decode, (y) => [
  y.c1,
  y.c0
]), g2 = { point: g2coder(!0), sig: g2coder(!1) }, signatureG2ToBytes = (point) => (point.assertValidity(), g2.sig.encode(point));
function signatureG2FromBytes(bytes) {
  let point = bls12_381.G2.Point.fromAffine(g2.sig.decode(bytes));
  return point.assertValidity(), point;
}
var signatureCoders = {
  ShortSignature: {
    fromBytes(bytes) {
      return signatureG1FromBytes(abytes2(bytes));
    },
    fromHex(hex) {
      return signatureG1FromBytes(hexToBytes2(hex));
    },
    toBytes(point) {
      return signatureG1ToBytes(point);
    },
    // Historical alias: BLS signatures have a single compressed byte format here.
    toRawBytes(point) {
      return signatureG1ToBytes(point);
    },
    toHex(point) {
      return bytesToHex2(signatureG1ToBytes(point));
    }
  },
  LongSignature: {
    fromBytes(bytes) {
      return signatureG2FromBytes(abytes2(bytes));
    },
    fromHex(hex) {
      return signatureG2FromBytes(hexToBytes2(hex));
    },
    toBytes(point) {
      return signatureG2ToBytes(point);
    },
    // Historical alias: BLS signatures have a single compressed byte format here.
    toRawBytes(point) {
      return signatureG2ToBytes(point);
    },
    toHex(point) {
      return bytesToHex2(signatureG2ToBytes(point));
    }
  }
}, fields = {
  Fp,
  Fp2,
  Fp6,
  Fp12,
  Fr: bls12_381_Fr
}, G1_Point = weierstrass(bls12_381_CURVE_G1, {
  // Public point APIs still accept infinity, even though the Zcash proof
  // encoding rules cited above only define nonzero point encodings.
  allowInfinityPoint: !0,
  Fn: bls12_381_Fr,
  fromBytes: g1.point.decode,
  toBytes: (_c, point, isComp) => g1.point.encode(point, isComp),
  // Checks is the point resides in prime-order subgroup.
  // point.isTorsionFree() should return true for valid points
  // It returns false for shitty points.
  // https://eprint.iacr.org/2021/1130.pdf
  isTorsionFree: (c, point) => {
    let beta = BigInt("0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe"), phi = new c(Fp.mul(point.X, beta), point.Y, point.Z);
    return point.multiplyUnsafe(BLS_X).negate().multiplyUnsafe(BLS_X).equals(phi);
  },
  // Clear cofactor of G1
  // https://eprint.iacr.org/2019/403
  clearCofactor: (_c, point) => point.multiplyUnsafe(BLS_X).add(point)
}), G2_Point = weierstrass(bls12_381_CURVE_G2, {
  Fp: Fp2,
  // Public point APIs still accept infinity, even though the Zcash proof
  // encoding rules cited above only define nonzero point encodings.
  allowInfinityPoint: !0,
  Fn: bls12_381_Fr,
  fromBytes: g2.point.decode,
  toBytes: (_c, point, isComp) => g2.point.encode(point, isComp),
  // https://eprint.iacr.org/2021/1130.pdf
  // Older version: https://eprint.iacr.org/2019/814.pdf
  isTorsionFree: (c, P) => P.multiplyUnsafe(BLS_X).negate().equals(G2psi(c, P)),
  // clear_cofactor_bls12381_g2 from RFC 9380.
  // https://eprint.iacr.org/2017/419.pdf
  // prettier-ignore
  clearCofactor: (c, P) => {
    let x = BLS_X, t1 = P.multiplyUnsafe(x).negate(), t2 = G2psi(c, P), t3 = P.double();
    return t3 = G2psi2(c, t3), t3 = t3.subtract(t2), t2 = t1.add(t2), t2 = t2.multiplyUnsafe(x).negate(), t3 = t3.add(t2), t3 = t3.subtract(t1), t3.subtract(P);
  }
}), bls12_hasher_opts = {
  mapToG1,
  mapToG2,
  hasherOpts: hasher_opts,
  // RFC 9380 Appendix J defines distinct G1/G2 RO and NU suite IDs, and
  // draft-irtf-cfrg-bls-signature-06 §4.2.1 gives separate G1/G2 `_NUL_` DSTs.
  // Keep G1 encode-to-curve on the G1 domain instead of inheriting G2's `encodeDST`.
  hasherOptsG1: {
    ...hasher_opts,
    m: 1,
    DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",
    encodeDST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
  },
  hasherOptsG2: { ...hasher_opts }
}, bls12_params = {
  ateLoopSize: BLS_X,
  // The BLS parameter x for BLS12-381
  xNegative: !0,
  twistType: "multiplicative",
  randomBytes: randomBytes2
}, bls12_381 = bls(fields, G1_Point, G2_Point, bls12_params, bls12_hasher_opts, signatureCoders), isogenyMapG2 = isogenyMap(Fp2, [
  // xNum
  [
    [
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6",
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6"
    ],
    [
      "0x0",
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71a"
    ],
    [
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71e",
      "0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38d"
    ],
    [
      "0x171d6541fa38ccfaed6dea691f5fb614cb14b4e7f4e810aa22d6108f142b85757098e38d0f671c7188e2aaaaaaaa5ed1",
      "0x0"
    ]
  ],
  // xDen
  [
    [
      "0x0",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa63"
    ],
    [
      "0xc",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa9f"
    ],
    ["0x1", "0x0"]
    // LAST 1
  ],
  // yNum
  [
    [
      "0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706",
      "0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706"
    ],
    [
      "0x0",
      "0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97be"
    ],
    [
      "0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71c",
      "0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38f"
    ],
    [
      "0x124c9ad43b6cf79bfbf7043de3811ad0761b0f37a1e26286b0e977c69aa274524e79097a56dc4bd9e1b371c71c718b10",
      "0x0"
    ]
  ],
  // yDen
  [
    [
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa8fb",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa8fb"
    ],
    [
      "0x0",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa9d3"
    ],
    [
      "0x12",
      "0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa99"
    ],
    ["0x1", "0x0"]
    // LAST 1
  ]
].map((i) => i.map((pair) => Fp2.fromBigTuple(pair.map(BigInt))))), isogenyMapG1 = isogenyMap(Fp, [
  // xNum
  [
    "0x11a05f2b1e833340b809101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7",
    "0x17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c356e834eef1b3cb83bb",
    "0xd54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0",
    "0x1778e7166fcc6db74e0609d307e55412d7f5e4656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861",
    "0xe99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9",
    "0x1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983",
    "0xd6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f9c86b2a8da25128c1052ecaddd7f225a139ed84",
    "0x17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e",
    "0x80d3cf1f9a78fc47b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317",
    "0x169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0327797f241067be390c9e",
    "0x10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b",
    "0x6e08c248e260e70bd1e962381edee3d31d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229"
  ],
  // xDen
  [
    "0x8ca8d548cff19ae18b2e62f4bd3fa6f01d5ef4ba35b48ba9c9588617fc8ac62b558d681be343df8993cf9fa40d21b1c",
    "0x12561a5deb559c4348b4711298e536367041e8ca0cf0800c0126c2588c48bf5713daa8846cb026e9e5c8276ec82b3bff",
    "0xb2962fe57a3225e8137e629bff2991f6f89416f5a718cd1fca64e00b11aceacd6a3d0967c94fedcfcc239ba5cb83e19",
    "0x3425581a58ae2fec83aafef7c40eb545b08243f16b1655154cca8abc28d6fd04976d5243eecf5c4130de8938dc62cd8",
    "0x13a8e162022914a80a6f1d5f43e7a07dffdfc759a12062bb8d6b44e833b306da9bd29ba81f35781d539d395b3532a21e",
    "0xe7355f8e4e667b955390f7f0506c6e9395735e9ce9cad4d0a43bcef24b8982f7400d24bc4228f11c02df9a29f6304a5",
    "0x772caacf16936190f3e0c63e0596721570f5799af53a1894e2e073062aede9cea73b3538f0de06cec2574496ee84a3a",
    "0x14a7ac2a9d64a8b230b3f5b074cf01996e7f63c21bca68a81996e1cdf9822c580fa5b9489d11e2d311f7d99bbdcc5a5e",
    "0xa10ecf6ada54f825e920b3dafc7a3cce07f8d1d7161366b74100da67f39883503826692abba43704776ec3a79a1d641",
    "0x95fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a",
    "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"
    // LAST 1
  ],
  // yNum
  [
    "0x90d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33",
    "0x134996a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696",
    "0xcc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d26d521628b00523b8dfe240c72de1f6",
    "0x1f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb",
    "0x8cc03fdefe0ff135caf4fe2a21529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb",
    "0x16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23ab13633a5f0",
    "0x4ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2",
    "0x987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29",
    "0x9fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587",
    "0xe1bba7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30",
    "0x19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e61031bf3a5cce3fbafce813711ad011c132",
    "0x18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e",
    "0xb182cac101b9399d155096004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8",
    "0x245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d9d3f5db980133",
    "0x5c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b",
    "0x15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604"
  ],
  // yDen
  [
    "0x16112c4c3a9c98b252181140fad0eae9601a6de578980be6eec3232b5be72e7a07f3688ef60c206d01479253b03663c1",
    "0x1962d75c2381201e1a0cbd6c43c348b885c84ff731c4d59ca4a10356f453e01f78a4260763529e3532f6102c2e49a03d",
    "0x58df3306640da276faaae7d6e8eb15778c4855551ae7f310c35a5dd279cd2eca6757cd636f96f891e2538b53dbf67f2",
    "0x16b7d288798e5395f20d23bf89edb4d1d115c5dbddbcd30e123da489e726af41727364f2c28297ada8d26d98445f5416",
    "0xbe0e079545f43e4b00cc912f8228ddcc6d19c9f0f69bbb0542eda0fc9dec916a20b15dc0fd2ededda39142311a5001d",
    "0x8d9e5297186db2d9fb266eaac783182b70152c65550d881c5ecd87b6f0f5a6449f38db9dfa9cce202c6477faaf9b7ac",
    "0x166007c08a99db2fc3ba8734ace9824b5eecfdfa8d0cf8ef5dd365bc400a0051d5fa9c01a58b1fb93d1a1399126a775c",
    "0x16a3ef08be3ea7ea03bcddfabba6ff6ee5a4375efa1f4fd7feb34fd206357132b920f5b00801dee460ee415a15812ed9",
    "0x1866c8ed336c61231a1be54fd1d74cc4f9fb0ce4c6af5920abc5750c4bf39b4852cfe2f7bb9248836b233d9d55535d4a",
    "0x167a55cda70a6e1cea820597d94a84903216f763e13d87bb5308592e7ea7d4fbc7385ea3d529b35e346ef48bb8913f55",
    "0x4d2f259eea405bd48f010a01ad2911d9c6dd039bb61a6290e591b36e636a5c871a5c29f4f83060400f8b49cba8f6aa8",
    "0xaccbb67481d033ff5852c1e48c50c477f94ff8aefce42d28c0f9a88cea7913516f968986f7ebbea9684b529e2561092",
    "0xad6b9514c767fe3c3613144b45f1496543346d98adf02267d5ceef9a00d9b8693000763e3b90ac11e99b138573345cc",
    "0x2660400eb2e4f3b628bdd0d53cd76f2bf565b94e72927c1cb748df27942480e420517bd8714cc80d1fadc1326ed06f7",
    "0xe0fa1d816ddc03e6b24255e0d7819c171c40f65e273b853324efcd6356caa205ca2f570f13497804415473a1d634b8f",
    "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"
    // LAST 1
  ]
].map((i) => i.map((j) => BigInt(j)))), G1_SWU, G2_SWU, getG1_SWU = () => G1_SWU || (G1_SWU = mapToCurveSimpleSWU(Fp, {
  A: Fp.create(BigInt("0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d")),
  B: Fp.create(BigInt("0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0")),
  Z: Fp.create(BigInt(11))
})), getG2_SWU = () => G2_SWU || (G2_SWU = mapToCurveSimpleSWU(Fp2, {
  // SWU map for the RFC 9380 §8.8.2 pre-isogeny G2 curve E':
  // y² = x³ + 240i * x + 1012 + 1012i
  A: Fp2.create({ c0: Fp.create(_0n8), c1: Fp.create(BigInt(240)) }),
  // A' = 240 * I
  B: Fp2.create({ c0: Fp.create(BigInt(1012)), c1: Fp.create(BigInt(1012)) }),
  // B' = 1012 * (1 + I)
  Z: Fp2.create({ c0: Fp.create(BigInt(-2)), c1: Fp.create(BigInt(-1)) })
  // Z: -(2 + I)
}));
function mapToG1(scalars) {
  let { x, y } = getG1_SWU()(Fp.create(scalars[0]));
  return isogenyMapG1(x, y);
}
function mapToG2(scalars) {
  let { x, y } = getG2_SWU()(Fp2.fromBigTuple(scalars));
  return isogenyMapG2(x, y);
}

// src/octets.ts
var Malformed = class extends Error {
}, NAME = /^[A-Za-z0-9._:/+-]{0,64}$/, MATCH_ID = /^[A-Za-z0-9._:-]{1,64}$/, HEX = /^(?:[0-9a-f]{2})*$/, U32_MAX = 4294967295, U64_MAX = 0xffffffffffffffffn;
function isMatchId(text) {
  return MATCH_ID.test(text);
}
function ascii(text) {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
function textOf(octets) {
  let parts = [];
  for (let at = 0; at < octets.length; at += 8192) parts.push(String.fromCharCode(...octets.subarray(at, at + 8192)));
  return parts.join("");
}
function hexOf(octets) {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, "0")).join("");
}
function octetsOf(hex) {
  if (!HEX.test(hex)) throw new Malformed("not lower-case hexadecimal of whole octets");
  let octets = new Uint8Array(hex.length / 2);
  for (let at = 0; at < octets.length; at += 1) octets[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return octets;
}
function same(one, other) {
  return one.length === other.length && one.every((octet, at) => octet === other[at]);
}
function join(...parts) {
  let whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0)), at = 0;
  for (let part of parts)
    whole.set(part, at), at += part.length;
  return whole;
}
function unsigned(value, octets) {
  let rest = BigInt(value), written2 = new Uint8Array(octets);
  for (let at = octets - 1; at >= 0; at -= 1)
    written2[at] = Number(rest & 0xffn), rest >>= 8n;
  if (rest !== 0n) throw new Malformed(`a number does not fit ${octets} octets`);
  return written2;
}
function short(octets) {
  return join(unsigned(octets.length, 1), octets);
}
var Reader = class {
  at = 0;
  octets;
  constructor(octets) {
    this.octets = octets;
  }
  /** The next octets, so many. */
  take(length, what) {
    let end = this.at + length;
    if (end > this.octets.length) throw new Malformed(`the octets end inside ${what}`);
    let taken = this.octets.slice(this.at, end);
    return this.at = end, taken;
  }
  u8(what) {
    return this.take(1, what)[0] ?? 0;
  }
  u32(what) {
    return Number(this.number(4, what));
  }
  u64(what) {
    return this.number(8, what);
  }
  number(octets, what) {
    return this.take(octets, what).reduce((value, octet) => value << 8n | BigInt(octet), 0n);
  }
  /** A short, of a length when one is given. */
  short(what, length) {
    let octets = this.take(this.u8(what), what);
    if (length !== void 0 && octets.length !== length) throw new Malformed(`${what} has ${octets.length} octets`);
    return octets;
  }
  long(what) {
    return this.take(this.u32(what), what);
  }
  /** A name, of so many characters at least. */
  name(what, least = 0) {
    let text = this.text(what, NAME);
    if (text.length < least) throw new Malformed(`${what} is empty`);
    return text;
  }
  matchId() {
    return this.text("match id", MATCH_ID);
  }
  text(what, allowed) {
    let text = textOf(this.take(this.u8(what), what));
    if (!allowed.test(text)) throw new Malformed(`${what} has other characters or another length than allowed`);
    return text;
  }
  /** The label that every record starts with. */
  label(label) {
    let found = this.octets.subarray(0, label.length);
    if (textOf(found) !== label) throw new Malformed(`the record does not start with ${label}`);
    this.at = label.length;
  }
  /** As many things as the u8 says. */
  many(what, read) {
    return Array.from({ length: this.u8(what) }, read);
  }
  /** Nothing may be left over. */
  end() {
    if (this.at !== this.octets.length) throw new Malformed(`${this.octets.length - this.at} octets are left over`);
  }
};

// src/drand.ts
var SCHEME = "bls-unchained-g1-rfc9380", QUICKNET_HASH = octetsOf("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"), SECOND = 1000n, TAG = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
function chainHashOf(chain) {
  let id = chain.beaconId === "default" ? "" : chain.beaconId, { period, genesis, publicKey, groupHash } = chain;
  return sha256(join(unsigned(period, 4), unsigned(genesis, 8), publicKey, groupHash, ascii(id)));
}
function isQuicknet(chain) {
  return same(chain.chainHash, QUICKNET_HASH);
}
function timeOf(chain, round) {
  return (chain.genesis + BigInt(chain.period) * (round - 1n)) * SECOND;
}
function roundAfter(chain, closeMs, highestVerified) {
  let period = BigInt(chain.period) * SECOND, wait = closeMs + SECOND - chain.genesis * SECOND, due = wait <= 0n ? 1n : (wait + period - 1n) / period + 1n;
  return due > highestVerified ? due : highestVerified + 1n;
}
function valueOf(signature) {
  return sha256(signature);
}
var KEYS = /* @__PURE__ */ new Map();
function keyPointOf(publicKey) {
  let name = hexOf(publicKey), known = KEYS.get(name);
  if (known !== void 0) return known;
  let point = pointOf(bls12_381.G2.Point, publicKey);
  return KEYS.set(name, point), point;
}
function isBeaconKey(publicKey) {
  return keyPointOf(publicKey) !== null;
}
var last = { name: "", holds: !1 };
function verifyBeacon(publicKey, round, signature) {
  let name = `${hexOf(publicKey)} ${round} ${hexOf(signature)}`;
  return last.name !== name && (last = { name, holds: checked(publicKey, round, signature) }), last.holds;
}
function checked(publicKey, round, signature) {
  let point = pointOf(bls12_381.G1.Point, signature), key = keyPointOf(publicKey);
  if (round < 1n || point === null || key === null) return !1;
  let message = bls12_381.G1.hashToCurve(sha256(unsigned(round, 8)), { DST: TAG }), { Fp12: Fp122 } = bls12_381.fields, pairing = bls12_381.pairingBatch([
    { g1: bls12_381.G1.Point.fromAffine(message.toAffine()), g2: key },
    { g1: point.negate(), g2: bls12_381.G2.Point.BASE }
  ]);
  return Fp122.eql(pairing, Fp122.ONE);
}
function pointOf(group, octets) {
  try {
    let point = group.fromBytes(octets);
    return point.assertValidity(), !point.is0() && same(point.toBytes(!0), octets) ? point : null;
  } catch {
    return null;
  }
}

// src/recipe.ts
var RECIPE = "belot.club/deal/v1", PACK = 32, RANKS = 8, EIGHT = 1;
function commitmentOf(serverSeed) {
  return sha256(serverSeed);
}
function packOf(inputs, hand, size) {
  refuseOddInputs(inputs);
  let octets = streamOf(inputs, hand), pack = Array.from({ length: PACK }, (_, card) => card);
  for (let at = PACK - 1; at > 0; at -= 1) {
    let limit = 256 - 256 % (at + 1), octet = octets.next().value;
    for (; octet >= limit; ) octet = octets.next().value;
    let other = octet % (at + 1);
    [pack[at], pack[other]] = [pack[other] ?? 0, pack[at] ?? 0];
  }
  if (size === PACK) return pack;
  if (size === 24) return pack.filter((card) => card % RANKS > EIGHT);
  throw new Malformed("a pack has 24 or 32 cards");
}
function refuseOddInputs({ serverSeed, seeds, round, value }) {
  if (serverSeed.length !== 32) throw new Malformed("a server seed has 32 octets");
  if (seeds.length < 2 || seeds.length > 4) throw new Malformed("a table has 2 to 4 seats");
  if (value.length !== 32) throw new Malformed("a value has 32 octets");
  if (seeds.some((seed) => seed.length !== 0 && seed.length !== 16)) throw new Malformed("a seed has 16 octets or none");
  if (round === 0n !== value.every((octet) => octet === 0)) throw new Malformed("round 0 and zeros go together");
}
function* streamOf({ serverSeed, seeds, round, value }, hand) {
  let rest = join(unsigned(seeds.length, 1), ...seeds.map(short), unsigned(round, 8), value);
  for (let block = 0; ; block += 1) {
    let message = join(ascii(RECIPE), unsigned(hand, 4), unsigned(block, 4), rest);
    yield* hmac(sha256, serverSeed, message);
  }
}

// src/report.ts
function proven(name, sentence2) {
  return { name, verdict: "proven", sentence: sentence2 };
}
function failed(name, sentence2) {
  return { name, verdict: "failed", sentence: sentence2 };
}
function notChecked(name, sentence2) {
  return { name, verdict: "not checked", sentence: sentence2 };
}
function notProtected(name, sentence2) {
  return { name, verdict: "not protected", sentence: sentence2 };
}
function notWitnessed(name, sentence2) {
  return { name, verdict: "not witnessed", sentence: sentence2 };
}
function reportOf(matchId, label, points) {
  return { matchId, label, points, ok: points.every(({ verdict }) => verdict !== "failed") };
}
function jsonOf({ matchId, ok, label, points }) {
  return JSON.stringify({ match_id: matchId, ok, label, points }, null, 2);
}
var MARKS = {
  proven: "ok",
  "not witnessed": "!!",
  "not protected": "!!",
  "not checked": "--",
  failed: "XX"
};
function textOfReport({ matchId, ok, label, points }) {
  let width = Math.max(...points.map(({ name }) => name.length)), lines = points.map(({ name, verdict, sentence: sentence2 }) => {
    let said = verdict === "proven" || verdict === "failed" ? "" : `${verdict}: `;
    return ` ${MARKS[verdict]}  ${name.padEnd(width)}  ${said}${sentence2}`;
  }), count = points.filter(({ verdict }) => verdict === "proven").length, wrong = points.filter(({ verdict }) => verdict === "failed").map(({ name }) => name), end = ok ? `VERIFIED: ${count} points proven, none failed.` : `FAILED: ${wrong.join(", ")}.`;
  return [`match ${matchId}`, ...label === "" ? [] : [label], ...lines, end].join(`
`);
}

// src/story.ts
function all(events, kind) {
  return events.filter((event) => event.body.kind === kind);
}
function storyOf(matchId, events) {
  let opened = all(events, "opened")[0];
  if (opened === void 0) throw new Malformed("the match was never opened");
  return {
    matchId,
    opened,
    seeds: all(events, "seeds")[0] ?? null,
    chosen: all(events, "round chosen")[0] ?? null,
    answer: all(events, "beacon")[0] ?? all(events, "fallback")[0] ?? null,
    hands: all(events, "hand"),
    revealed: all(events, "revealed")[0] ?? null
  };
}
function committedSeed({ opened, revealed }) {
  if (revealed === null) return null;
  let { serverSeed } = revealed.body;
  return same(commitmentOf(serverSeed), opened.body.commitment) ? serverSeed : null;
}
function packsOf(story, serverSeed) {
  let { seeds, answer: answer2, hands, opened } = story;
  if (seeds === null || answer2 === null) throw new Malformed("no card may be dealt before seeds and value are known");
  let numbers = new Set(hands.map(({ body }) => body.hand)), count = numbers.size;
  if ([...numbers].some((hand) => hand >= count)) throw new Malformed("hands are not counted from 0 without a gap");
  let inputs = {
    serverSeed,
    seeds: seeds.body.seats.map(({ seed }) => seed),
    round: answer2.body.kind === "beacon" ? answer2.body.round : 0n,
    value: answer2.body.kind === "beacon" ? answer2.body.value : new Uint8Array(32)
  };
  return Array.from({ length: count }, (_, hand) => packOf(inputs, hand, opened.body.packSize));
}

// src/deal_points.ts
var DEVELOPMENT = "belot-dev", PATIENCE = 5n * SECOND;
function openedPoint({ opened: { body } }) {
  if (body.recipe !== RECIPE) return failed("opened", "The recipe is not known here.");
  if (!same(sha256(body.rulesetJson), body.rulesetHash))
    return failed("opened", "The ruleset's JSON does not give the hash that was bound.");
  if (body.packSize !== 24 && body.packSize !== 32) return failed("opened", "The pack has neither 24 nor 32 cards.");
  let bots = body.seats.filter(({ isBot }) => isBot).length;
  return proven("opened", `${body.seats.length} seats (${bots} bots), first dealer, ruleset and chain were bound first.`);
}
function chainPoint({ opened: { body } }, chain, acceptDevelopment) {
  return !same(body.chainHash, chain.chainHash) || body.chainName !== chain.beaconId ? failed("beacon chain", "The chain in the file is not the one that the match was bound to.") : isQuicknet(chain) ? proven("beacon chain", "The chain is drand's quicknet.") : chain.beaconId !== DEVELOPMENT ? failed("beacon chain", "The chain is not drand's quicknet.") : (acceptDevelopment ? notProtected : failed)("beacon chain", "The values of a development chain are picked by whoever runs it.");
}
function commitmentPoint(story) {
  return story.revealed === null ? failed("commitment", "The server seed was never revealed.") : committedSeed(story) === null ? failed("commitment", "The revealed server seed is not the one that was committed to.") : proven("commitment", "The revealed server seed gives the commitment of the opening.");
}
function seedsPoint({ opened, seeds }) {
  if (seeds === null) return notChecked("seeds", "The match ended before seeds were closed.");
  let entries = seeds.body.seats;
  if (entries.length !== opened.body.seats.length) return failed("seeds", "There is not one entry for each seat.");
  let odd = opened.body.seats.findIndex(({ isBot }, seat) => isBot !== (entries[seat]?.state === "bot"));
  if (odd >= 0) return failed("seeds", `The entry of seat ${odd} does not fit who sits there.`);
  let missed = entries.flatMap(({ state }, seat) => state === "missed" ? [seat] : []);
  return missed.length === 0 ? proven("seeds", "Every person brought a seed.") : seeds.timeMs < opened.body.seedDeadlineMs ? failed("seeds", `Seat ${missed.join(", ")} was counted as missed before the deadline.`) : notProtected("seeds", `No seed came from seat ${missed.join(", ")}.`);
}
function roundPoint({ seeds, chosen }, chain) {
  if (seeds === null || chosen === null) return notChecked("round", "The match ended before a round was chosen.");
  let { round, closeMs, highestVerified } = chosen.body;
  return closeMs !== seeds.timeMs ? failed("round", "The close time is not the time at which seeds were closed.") : round !== roundAfter(chain, closeMs, highestVerified) ? failed("round", "The round is not the first that the rule allows.") : proven("round", `Round ${round} follows from the rule; it was due ${timeOf(chain, round) - closeMs} ms later.`);
}
function beaconPoint({ chosen, answer: answer2 }, chain) {
  if (chosen === null || answer2 === null) return notChecked("beacon", "The match ended before an answer came.");
  let { body, timeMs } = answer2;
  if (body.round !== chosen.body.round || body.round === 0n) return failed("beacon", "The answer is for another round than was chosen.");
  let due = timeOf(chain, body.round);
  return body.kind === "fallback" ? timeMs < due + PATIENCE ? failed("beacon", "The fallback stands before the beacon's time was over.") : notProtected("beacon", "No valid beacon came in time: seeds alone made the packs.") : timeMs < due ? failed("beacon", "The beacon stands before its round was due.") : same(valueOf(body.signature), body.value) ? verifyBeacon(chain.publicKey, body.round, body.signature) ? proven("beacon", "The BLS signature is that of the round, and the value follows from it.") : failed("beacon", "The signature is not that of the chain for this round.") : failed("beacon", "The value does not follow from the signature.");
}

// src/json.ts
var DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;
function readDocument(octets, most) {
  if (octets.length > most) throw new Malformed(`it is longer than ${most} octets`);
  let text = textOf(octets), value;
  try {
    if (value = JSON.parse(text), `${written(value, `
`)}
` === text) return value;
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof RangeError ? new Malformed("it is not JSON") : error;
  }
  throw new Malformed("it is not in its canonical form");
}
function written(value, line) {
  if (value === null || typeof value != "object") return scalar(value);
  let inner = `${line} `;
  if (isList(value))
    return value.length === 0 ? "[]" : `[${inner}${value.map((item) => written(item, inner)).join(`,${inner}`)}${line}]`;
  let names = Object.keys(value).sort();
  if (names.length === 0) return "{}";
  let fields2 = names.map((name) => `${scalar(name)}: ${written(value[name] ?? null, inner)}`);
  return `{${inner}${fields2.join(`,${inner}`)}${line}}`;
}
function scalar(value) {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
function isList(value) {
  return Array.isArray(value);
}
function canonicalText(value) {
  return value === null || typeof value != "object" ? JSON.stringify(value) : isList(value) ? `[${value.map(canonicalText).join(",")}]` : `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join(",")}}`;
}
var Fields = class _Fields {
  fields;
  path;
  constructor(value, path, names) {
    if (value === null || typeof value != "object" || isList(value)) throw new Malformed(`${path} is not an object`);
    if (Object.keys(value).sort().join() !== [...names].sort().join()) throw new Malformed(`${path} has other fields than it should`);
    this.fields = value, this.path = path;
  }
  refuse(name, what) {
    throw new Malformed(`${this.path}.${name} is not ${what}`);
  }
  value(name) {
    return this.fields[name] ?? null;
  }
  text(name, most = 64) {
    let value = this.value(name);
    return typeof value != "string" || value.length > most ? this.refuse(name, `a text of at most ${most}`) : value;
  }
  whole(name) {
    let value = this.value(name);
    return typeof value == "number" && Number.isSafeInteger(value) ? value : this.refuse(name, "a whole number");
  }
  list(name, most) {
    let value = this.value(name);
    return isList(value) && value.length <= most ? value : this.refuse(name, `a list of at most ${most}`);
  }
  /** Octets in hexadecimal, exactly so many. */
  octets(name, length) {
    let octets = this.octetsUpTo(name, length);
    return octets.length === length ? octets : this.refuse(name, `${length} octets`);
  }
  /** Octets in hexadecimal, at most so many. */
  octetsUpTo(name, most) {
    return octetsOf(this.text(name, 2 * most));
  }
  /** A u64 in decimal digits. */
  decimal(name) {
    let text = this.text(name), value = DECIMAL.test(text) ? BigInt(text) : this.refuse(name, "a decimal number");
    return value <= U64_MAX ? value : this.refuse(name, "a number of 64 bits");
  }
  /** What `read` makes of an object, or null where it is null. */
  optional(name, names, read) {
    let value = this.value(name);
    return value === null ? null : read(new _Fields(value, `${this.path}.${name}`, names));
  }
};

// node_modules/@noble/curves/abstract/edwards.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _0n9 = /* @__PURE__ */ BigInt(0), _1n9 = /* @__PURE__ */ BigInt(1), _2n7 = /* @__PURE__ */ BigInt(2), _4n6 = /* @__PURE__ */ BigInt(4), _8n2 = /* @__PURE__ */ BigInt(8);
function isEdValidXY(Fp4, CURVE, x, y) {
  let x2 = Fp4.sqr(x), y2 = Fp4.sqr(y), left = Fp4.add(Fp4.mul(CURVE.a, x2), y2), right = Fp4.add(Fp4.ONE, Fp4.mul(CURVE.d, Fp4.mul(x2, y2)));
  return Fp4.eql(left, right);
}
function edwards(params, extraOpts = {}) {
  validateObject(extraOpts, {}, {}, "extraOpts");
  let opts = extraOpts, validated = createCurveFields("edwards", params, opts, opts.FpFnLE), { Fp: Fp4, Fn } = validated, CURVE = validated.CURVE, { h: cofactor } = CURVE;
  if (FpLegendre(Fp4, CURVE.a) !== 1)
    throw new Error("edwards: CURVE.a must be a square in Fp for complete addition formulas");
  if (FpLegendre(Fp4, CURVE.d) !== -1)
    throw new Error("edwards: CURVE.d must be a non-square in Fp for complete addition formulas");
  validateObject(opts, {}, { uvRatio: "function", randomBytes: "function" });
  let randomBytes3 = opts.randomBytes === void 0 ? randomBytes2 : opts.randomBytes, MASK = _2n7 << BigInt(Fp4.BYTES * 8) - _1n9;
  function isOdd(n) {
    if (!Fp4.isOdd)
      throw new Error("Field does not have .isOdd()");
    return Fp4.isOdd(n);
  }
  let uvRatio2 = opts.uvRatio === void 0 ? (u, v) => {
    try {
      return { isValid: !0, value: Fp4.sqrt(Fp4.div(u, v)) };
    } catch {
      return { isValid: !1, value: _0n9 };
    }
  } : opts.uvRatio;
  if (!isEdValidXY(Fp4, CURVE, CURVE.Gx, CURVE.Gy))
    throw new Error("bad curve params: generator point");
  let mulA = Fp4.eql(CURVE.a, Fp4.neg(Fp4.ONE)) ? (x) => Fp4.neg(x) : Fp4.eql(CURVE.a, Fp4.ONE) ? (x) => x : (x) => Fp4.mul(CURVE.a, x);
  function acoord(title, n, banZero = !1) {
    let min = banZero ? _1n9 : _0n9;
    return aInRange("coordinate " + title, n, min, MASK), n;
  }
  function aedpoint(other) {
    if (!(other instanceof Point))
      throw new Error("EdwardsPoint expected");
  }
  class Point {
    static BASE = new Point(CURVE.Gx, CURVE.Gy, Fp4.ONE, Fp4.mul(CURVE.Gx, CURVE.Gy));
    static ZERO = new Point(Fp4.ZERO, Fp4.ONE, Fp4.ONE, Fp4.ZERO);
    static Fp = Fp4;
    static Fn = Fn;
    X;
    Y;
    Z;
    T;
    constructor(X, Y, Z, T) {
      this.X = acoord("x", X), this.Y = acoord("y", Y), this.Z = acoord("z", Z, !0), this.T = acoord("t", T), Object.freeze(this);
    }
    static CURVE() {
      return CURVE;
    }
    /**
     * Create one extended Edwards point from affine coordinates.
     * Does NOT validate that the point is on-curve or torsion-free.
     * Use `.assertValidity()` on adversarial inputs.
     */
    static fromAffine(p) {
      if (p instanceof Point)
        throw new Error("extended point not allowed");
      let { x, y } = p || {};
      return acoord("x", x), acoord("y", y), new Point(x, y, Fp4.ONE, Fp4.mul(x, y));
    }
    // Uses algo from RFC8032 5.1.3.
    static fromBytes(bytes, zip215 = !1) {
      let len = Fp4.BYTES, { a, d } = CURVE;
      bytes = copyBytes(abytes2(bytes, len, "point")), abool(zip215, "zip215");
      let normed = copyBytes(bytes), lastByte = bytes[len - 1];
      normed[len - 1] = lastByte & -129;
      let y = bytesToNumberLE(normed), max = zip215 ? MASK : Fp4.ORDER;
      aInRange("point.y", y, _0n9, max);
      let y2 = Fp4.sqr(y), u = Fp4.sub(y2, Fp4.ONE), v = Fp4.sub(Fp4.mulN(d, y2), a), { isValid, value: x } = uvRatio2(u, v);
      if (!isValid)
        throw new Error("bad point: invalid y coordinate");
      let isXOdd = isOdd(x), isLastByteOdd = (lastByte & 128) !== 0;
      if (!zip215 && Fp4.is0(x) && isLastByteOdd)
        throw new Error("bad point: x=0 and x_0=1");
      return isLastByteOdd !== isXOdd && (x = Fp4.neg(x)), Point.fromAffine({ x, y });
    }
    static fromHex(hex, zip215 = !1) {
      return Point.fromBytes(hexToBytes2(hex), zip215);
    }
    get x() {
      return this.toAffine().x;
    }
    get y() {
      return this.toAffine().y;
    }
    precompute(windowSize = 6, isLazy = !0) {
      return wnaf.setWindowSize(this, windowSize), isLazy || this.multiply(_2n7), this;
    }
    // Useful in fromAffine() - not for fromBytes(), which always created valid points.
    assertValidity() {
      let p = this, { a, d } = CURVE;
      if (p.is0())
        throw new Error("bad point: ZERO");
      let { X, Y, Z, T } = p, X2 = Fp4.sqr(X), Y2 = Fp4.sqr(Y), Z2 = Fp4.sqr(Z), Z4 = Fp4.sqr(Z2), aX2 = Fp4.mul(X2, a), left = Fp4.mul(Fp4.add(aX2, Y2), Z2), right = Fp4.add(Z4, Fp4.mul(d, Fp4.mul(X2, Y2)));
      if (!Fp4.eql(left, right))
        throw new Error("bad point: equation left != right (1)");
      let XY = Fp4.mul(X, Y), ZT = Fp4.mul(Z, T);
      if (!Fp4.eql(XY, ZT))
        throw new Error("bad point: equation left != right (2)");
    }
    // Compare one point to another.
    equals(other) {
      aedpoint(other);
      let { X: X1, Y: Y1, Z: Z1 } = this, { X: X2, Y: Y2, Z: Z2 } = other, X1Z2 = Fp4.mul(X1, Z2), X2Z1 = Fp4.mul(X2, Z1), Y1Z2 = Fp4.mul(Y1, Z2), Y2Z1 = Fp4.mul(Y2, Z1);
      return Fp4.eql(X1Z2, X2Z1) && Fp4.eql(Y1Z2, Y2Z1);
    }
    is0() {
      return this.equals(Point.ZERO);
    }
    negate() {
      return new Point(Fp4.neg(this.X), this.Y, this.Z, Fp4.neg(this.T));
    }
    // Fast algo for doubling Extended Point.
    // https://hyperelliptic.org/EFD/g1p/auto-twisted-extended.html#doubling-dbl-2008-hwcd
    // Cost: 4M + 4S + 1*a + 6add + 1*2.
    double() {
      let { X: X1, Y: Y1, Z: Z1 } = this, A = Fp4.sqr(X1), B = Fp4.sqr(Y1), C = Fp4.mul(Fp4.sqr(Z1), _2n7), D = mulA(A), x1y1 = Fp4.addN(X1, Y1), E = Fp4.sub(Fp4.subN(Fp4.sqr(x1y1), A), B), G = Fp4.addN(D, B), F = Fp4.subN(G, C), H = Fp4.subN(D, B), X3 = Fp4.mul(E, F), Y3 = Fp4.mul(G, H), T3 = Fp4.mul(E, H), Z3 = Fp4.mul(F, G);
      return new Point(X3, Y3, Z3, T3);
    }
    // Fast algo for adding 2 Extended Points.
    // https://hyperelliptic.org/EFD/g1p/auto-twisted-extended.html#addition-add-2008-hwcd
    // Cost: 9M + 1*a + 1*d + 7add.
    add(other) {
      aedpoint(other);
      let { d } = CURVE, { X: X1, Y: Y1, Z: Z1, T: T1 } = this, { X: X2, Y: Y2, Z: Z2, T: T2 } = other, A = Fp4.mul(X1, X2), B = Fp4.mul(Y1, Y2), C = Fp4.mul(Fp4.mulN(T1, d), T2), D = Fp4.mul(Z1, Z2), E = Fp4.sub(Fp4.subN(Fp4.mulN(Fp4.addN(X1, Y1), Fp4.addN(X2, Y2)), A), B), F = Fp4.subN(D, C), G = Fp4.addN(D, C), H = Fp4.sub(B, mulA(A)), X3 = Fp4.mul(E, F), Y3 = Fp4.mul(G, H), T3 = Fp4.mul(E, H), Z3 = Fp4.mul(F, G);
      return new Point(X3, Y3, Z3, T3);
    }
    subtract(other) {
      return aedpoint(other), this.add(other.negate());
    }
    // Constant-time multiplication.
    multiply(scalar2) {
      if (!Fn.isValidNot0(scalar2))
        throw new RangeError("invalid scalar: expected 1 <= sc < curve.n");
      let { p, f } = wnaf.mulSecret(this, scalar2, cofactor, normalize);
      return normalize([p, f])[0];
    }
    // Non-constant-time multiplication. Uses double-and-add algorithm.
    // It's faster, but should only be used when you don't care about
    // an exposed private key e.g. sig verification.
    // Keeps the same subgroup-scalar contract: 0 is allowed for public-scalar callers, but
    // n and larger values are rejected instead of being reduced mod n to the identity point.
    multiplyUnsafe(scalar2) {
      if (!Fn.isValid(scalar2))
        throw new RangeError("invalid scalar: expected 0 <= sc < curve.n");
      return scalar2 === _0n9 ? Point.ZERO : this.is0() || scalar2 === _1n9 ? this : wnaf.mulUnsafe(this, scalar2, normalize);
    }
    // Checks if point is of small order.
    // If you add something to small order point, you will have "dirty"
    // point with torsion component.
    // Clears cofactor and checks if the result is 0.
    isSmallOrder() {
      return this.clearCofactor().is0();
    }
    // Multiplies point by curve order and checks if the result is 0.
    // Returns `false` is the point is dirty.
    isTorsionFree() {
      return wnaf.mulUnsafe(this, CURVE.n).is0();
    }
    // Converts Extended point to default (x, y) coordinates.
    // Can accept precomputed Z^-1 - for example, from invertBatch.
    toAffine(invertedZ) {
      let p = this, iz = invertedZ;
      if (iz != null && typeof iz != "bigint")
        throw new TypeError('"invertedZ" expected bigint, got type=' + typeof iz);
      let { X, Y, Z } = p, is0 = p.is0();
      iz == null && (iz = is0 ? Fp4.create(_8n2) : Fp4.inv(Z));
      let x = Fp4.mul(X, iz), y = Fp4.mul(Y, iz), zz = Fp4.mul(Z, iz);
      if (is0)
        return { x: Fp4.ZERO, y: Fp4.ONE };
      if (!Fp4.eql(zz, Fp4.ONE))
        throw new Error("invZ was invalid");
      return { x, y };
    }
    clearCofactor() {
      return cofactor === _1n9 ? this : cofactor === _2n7 ? this.double() : cofactor === _4n6 ? this.double().double() : cofactor === _8n2 ? this.double().double().double() : this.multiplyUnsafe(cofactor);
    }
    toBytes() {
      let { x, y } = this.toAffine(), bytes = Fp4.toBytes(y);
      return bytes[bytes.length - 1] |= isOdd(x) ? 128 : 0, bytes;
    }
    toHex() {
      return bytesToHex2(this.toBytes());
    }
    toString() {
      return `<Point ${this.is0() ? "ZERO" : this.toHex()}>`;
    }
  }
  let normalize = (points) => normalizeZ(Point, points), wnaf = new ScalarMultiplier(Point, randomBytes3);
  return wnaf.bits >= 6 && Point.BASE.precompute(6), Object.freeze(Point.prototype), Object.freeze(Point), Point;
}
function eddsa(Point, cHash, eddsaOpts = {}) {
  if (validatePointCons(Point), typeof cHash != "function")
    throw new Error('"hash" function param is required');
  let hash = cHash, opts = eddsaOpts;
  validateObject(opts, {}, {
    adjustScalarBytes: "function",
    randomBytes: "function",
    domain: "function",
    prehash: "function",
    zip215: "boolean",
    mapToCurve: "function",
    toMontgomery: "function",
    toMontgomerySecret: "function"
  });
  let { prehash } = opts, { BASE, Fp: Fp4, Fn } = Point, outputLen = hash.outputLen, expectedLen = 2 * Fp4.BYTES;
  if (outputLen !== void 0 && (asafenumber(outputLen, "hash.outputLen"), outputLen !== expectedLen))
    throw new Error(`hash.outputLen must be ${expectedLen}, got ${outputLen}`);
  let randomBytes3 = opts.randomBytes === void 0 ? randomBytes2 : opts.randomBytes, toMontgomery2 = opts.toMontgomery, toMontgomerySecret2 = opts.toMontgomerySecret, adjustScalarBytes2 = opts.adjustScalarBytes === void 0 ? (bytes) => bytes : opts.adjustScalarBytes, domain = opts.domain === void 0 ? (data, ctx, phflag) => {
    if (abool(phflag, "phflag"), ctx.length || phflag)
      throw new Error("Contexts/pre-hash are not supported");
    return data;
  } : opts.domain;
  function modN_LE(hash2) {
    return Fn.create(bytesToNumberLE(hash2));
  }
  function getPrivateScalar(key) {
    let len = lengths.secretKey;
    abytes2(key, lengths.secretKey, "secretKey");
    let hashed = abytes2(hash(key), 2 * len, "hashedSecretKey"), head = adjustScalarBytes2(hashed.slice(0, len)), prefix = hashed.slice(len, 2 * len), scalar2 = modN_LE(head);
    return { head, prefix, scalar: scalar2 };
  }
  function getExtendedPublicKey(secretKey) {
    let { head, prefix, scalar: scalar2 } = getPrivateScalar(secretKey), point = BASE.multiply(scalar2), pointBytes = point.toBytes();
    return { head, prefix, scalar: scalar2, point, pointBytes };
  }
  function getPublicKey(secretKey) {
    return getExtendedPublicKey(secretKey).pointBytes;
  }
  function hashDomainToScalar(context = Uint8Array.of(), ...msgs) {
    let msg = concatBytes2(...msgs);
    return modN_LE(hash(domain(msg, abytes2(context, void 0, "context"), !!prehash)));
  }
  function sign(msg, secretKey, options = {}) {
    validateObject(options, {}, {}, "options"), msg = copyBytes(abytes2(msg, void 0, "message")), prehash && (msg = prehash(msg));
    let { prefix, scalar: scalar2, pointBytes } = getExtendedPublicKey(secretKey), r = hashDomainToScalar(options.context, prefix, msg), R = BASE.multiply(r).toBytes(), k = hashDomainToScalar(options.context, R, pointBytes, msg), s = Fn.create(r + k * scalar2);
    if (!Fn.isValid(s))
      throw new Error("sign failed: invalid s");
    let rs = concatBytes2(R, Fn.toBytes(s));
    return abytes2(rs, lengths.signature, "result");
  }
  let verifyOpts = {
    zip215: opts.zip215
  };
  function verify2(sig, msg, publicKey, options = verifyOpts) {
    validateObject(options);
    let { context } = options, zip215 = options.zip215 === void 0 ? !!verifyOpts.zip215 : options.zip215, len = lengths.signature;
    sig = abytes2(sig, len, "signature"), msg = abytes2(msg, void 0, "message"), publicKey = abytes2(publicKey, lengths.publicKey, "publicKey"), zip215 !== void 0 && abool(zip215, "zip215"), prehash && (msg = prehash(msg));
    let mid = len / 2, r = sig.subarray(0, mid), s = bytesToNumberLE(sig.subarray(mid, len)), A, R, SB;
    try {
      A = Point.fromBytes(publicKey, zip215), R = Point.fromBytes(r, zip215), SB = BASE.multiplyUnsafe(s);
    } catch {
      return !1;
    }
    if (!zip215 && A.isSmallOrder())
      return !1;
    let k = hashDomainToScalar(context, r, publicKey, msg);
    return R.add(A.multiplyUnsafe(k)).subtract(SB).clearCofactor().is0();
  }
  let _size = Fp4.BYTES, lengths = {
    secretKey: _size,
    publicKey: _size,
    signature: 2 * _size,
    seed: _size
  };
  function randomSecretKey(seed) {
    return seed = seed === void 0 ? randomBytes3(lengths.seed) : seed, abytes2(seed, lengths.seed, "seed");
  }
  function isValidSecretKey(key) {
    return isBytes2(key) && key.length === lengths.secretKey;
  }
  function isValidPublicKey(key, zip215) {
    try {
      return !!Point.fromBytes(key, zip215 === void 0 ? verifyOpts.zip215 : zip215);
    } catch {
      return !1;
    }
  }
  let utils = {
    getExtendedPublicKey,
    randomSecretKey,
    isValidSecretKey,
    isValidPublicKey,
    /** Converts an Edwards public key to a companion Montgomery public key. */
    toMontgomery(publicKey) {
      if (toMontgomery2 === void 0)
        throw new Error("Montgomery conversion is not supported for this curve");
      return toMontgomery2(Point.fromBytes(publicKey));
    },
    toMontgomerySecret(secretKey) {
      if (toMontgomerySecret2 === void 0)
        throw new Error("Montgomery conversion is not supported for this curve");
      return toMontgomerySecret2(secretKey);
    }
  };
  return Object.freeze(lengths), Object.freeze(utils), Object.freeze({
    keygen: createKeygen(randomSecretKey, getPublicKey),
    getPublicKey,
    sign,
    verify: verify2,
    utils,
    Point,
    lengths
  });
}

// node_modules/@noble/curves/ed25519.js
/*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) */
var _1n10 = /* @__PURE__ */ BigInt(1), _2n8 = /* @__PURE__ */ BigInt(2);
var _5n2 = /* @__PURE__ */ BigInt(5), _8n3 = /* @__PURE__ */ BigInt(8), ed25519_CURVE_p = /* @__PURE__ */ BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"), ed25519_CURVE = {
  p: ed25519_CURVE_p,
  n: BigInt("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
  h: _8n3,
  a: BigInt("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec"),
  d: BigInt("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
  Gx: BigInt("0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a"),
  Gy: BigInt("0x6666666666666666666666666666666666666666666666666666666666666658")
};
function ed25519_pow_2_252_3(x) {
  let _10n = BigInt(10), _20n = BigInt(20), _40n = BigInt(40), _80n = BigInt(80), P = ed25519_CURVE_p, b2 = x * x % P * x % P, b4 = pow2(b2, _2n8, P) * b2 % P, b5 = pow2(b4, _1n10, P) * x % P, b10 = pow2(b5, _5n2, P) * b5 % P, b20 = pow2(b10, _10n, P) * b10 % P, b40 = pow2(b20, _20n, P) * b20 % P, b80 = pow2(b40, _40n, P) * b40 % P, b160 = pow2(b80, _80n, P) * b80 % P, b240 = pow2(b160, _80n, P) * b80 % P, b250 = pow2(b240, _10n, P) * b10 % P;
  return { pow_p_5_8: pow2(b250, _2n8, P) * x % P, b2 };
}
function adjustScalarBytes(bytes) {
  return bytes[0] &= 248, bytes[31] &= 127, bytes[31] |= 64, bytes;
}
var ED25519_SQRT_M1 = /* @__PURE__ */ BigInt("19681161376707505956807079304988542015446066515923890162744021073123829784752");
function uvRatio(u, v) {
  let P = ed25519_CURVE_p, v3 = mod(v * v * v, P), v7 = mod(v3 * v3 * v, P), pow3 = ed25519_pow_2_252_3(u * v7).pow_p_5_8, x = mod(u * v3 * pow3, P), vx2 = mod(v * x * x, P), root1 = x, root2 = mod(x * ED25519_SQRT_M1, P), useRoot1 = vx2 === u, useRoot2 = vx2 === mod(-u, P), noRoot = vx2 === mod(-u * ED25519_SQRT_M1, P);
  return useRoot1 && (x = root1), (useRoot2 || noRoot) && (x = root2), isNegativeLE(x, P) && (x = mod(-x, P)), { isValid: useRoot1 || useRoot2, value: x };
}
var ed25519_Point = /* @__PURE__ */ edwards(ed25519_CURVE, { uvRatio }), Fp3 = ed25519_Point.Fp;
function toMontgomery(point) {
  let { y } = point;
  return Fp3.toBytes(Fp3.div(_1n10 + y, _1n10 - y));
}
function toMontgomerySecret(secretKey) {
  let size = ed25519_Point.Fp.BYTES;
  return abytes(secretKey, size), adjustScalarBytes(sha512(secretKey.subarray(0, size))).subarray(0, size);
}
function ed(opts) {
  return eddsa(ed25519_Point, sha512, Object.assign({ adjustScalarBytes, toMontgomery, toMontgomerySecret, zip215: !0 }, opts));
}
var ed25519 = /* @__PURE__ */ ed({});

// src/keys.ts
var CONTEXT = ascii("belot.club/signature/v1"), ORDER = ed25519.Point.Fn.ORDER;
function keyIdOf(publicKey) {
  return hexOf(sha256(publicKey).subarray(0, 8));
}
function ringOf(publicKeys) {
  return new Map(publicKeys.map((key) => [keyIdOf(key), key]));
}
function holds(signed, keys) {
  let key = keys.get(signed.keyId);
  return key !== void 0 && verifyEd25519(key, join(CONTEXT, sha256(signed.octets)), signed.signature);
}
function littleEndian(octets) {
  return octets.reduceRight((value, octet) => value << 8n | BigInt(octet), 0n);
}
function verifyEd25519(publicKey, message, signature) {
  let r = signature.subarray(0, 32), s = littleEndian(signature.subarray(32));
  if (publicKey.length !== 32 || signature.length !== 64 || s >= ORDER) return !1;
  let k = littleEndian(sha512(join(r, publicKey, message))) % ORDER;
  try {
    let a = ed25519.Point.fromBytes(publicKey), expected = ed25519.Point.BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k));
    return same(expected.toBytes(), r);
  } catch {
    return !1;
  }
}

// src/files.ts
var SIGNED = ["key_id", "octets", "signature"], CHAIN = ["beacon_id", "chain_hash", "genesis", "group_hash", "period", "public_key", "scheme"], PROOF = ["chain", "events", "format", "match_id", "play_log", "public_keys", "score", "version"], EVIDENCE = [
  "beacon",
  "beacon_receipt",
  "commitment",
  "format",
  "hand_receipts",
  "match_id",
  "public_keys",
  "round",
  "seat",
  "seed",
  "seed_receipt",
  "version"
], BEACON_ID = /^[A-Za-z0-9._:/+-]{0,64}$/, MOST_TOTAL = 2 ** 31, MOST = {
  proof: 16 * 2 ** 20,
  evidence: 4 * 2 ** 20,
  events: 2e4,
  event: 2 ** 17,
  log: 4 * 2 ** 20,
  keys: 64,
  receipts: 1e4,
  receipt: 2 ** 12,
  totals: 4
};
function readProof(octets) {
  let fields2 = new Fields(readDocument(octets, MOST.proof), "Proof", PROOF);
  return readHead(fields2, "belot.club/proof"), readScore(new Fields(fields2.value("score"), "Proof.score", ["outcome", "totals"])), {
    matchId: readMatchId(fields2),
    chain: readChain(new Fields(fields2.value("chain"), "Proof.chain", CHAIN)),
    publicKeys: fields2.list("public_keys", MOST.keys).map(readNamedKey),
    events: fields2.list("events", MOST.events).map((event) => readSigned(new Fields(event, "Proof.events", SIGNED), MOST.event)),
    playLog: fields2.octetsUpTo("play_log", MOST.log)
  };
}
function readEvidence(octets) {
  let fields2 = new Fields(readDocument(octets, MOST.evidence), "Evidence", EVIDENCE);
  readHead(fields2, "belot.club/evidence");
  let seat = fields2.whole("seat");
  if (seat < 0 || seat > 3) throw new Malformed("Evidence.seat is not a seat");
  return {
    matchId: readMatchId(fields2),
    seat,
    commitment: fields2.optional("commitment", ["learnt_ms", "octets"], (learnt) => ({
      octets: learnt.octets("octets", 32),
      learntMs: learnt.decimal("learnt_ms")
    })),
    seed: fields2.octetsUpTo("seed", 16),
    seedReceipt: fields2.optional("seed_receipt", SIGNED, readReceipt),
    round: fields2.optional("round", ["learnt_ms", "round"], (learnt) => ({
      round: learnt.decimal("round"),
      learntMs: learnt.decimal("learnt_ms")
    })),
    beacon: fields2.optional("beacon", ["learnt_ms", "round", "signature"], (learnt) => ({
      round: learnt.decimal("round"),
      signature: learnt.octets("signature", 48),
      learntMs: learnt.decimal("learnt_ms")
    })),
    beaconReceipt: fields2.optional("beacon_receipt", SIGNED, readReceipt),
    handReceipts: fields2.list("hand_receipts", MOST.receipts).map((item) => readReceipt(new Fields(item, "Evidence.hand_receipts", SIGNED))),
    publicKeys: fields2.list("public_keys", MOST.keys).map((key) => readKey(new Fields(key, "Evidence.public_keys", ["octets"])))
  };
}
function readHead(fields2, format) {
  if (fields2.text("format") !== format) throw new Malformed(`the format is not ${format}`);
  if (fields2.whole("version") !== 1) throw new Malformed("the version is not known here");
}
function readMatchId(fields2) {
  let matchId = fields2.text("match_id");
  if (!isMatchId(matchId)) throw new Malformed("the match id is malformed");
  return matchId;
}
function readScore(fields2) {
  fields2.text("outcome");
  let isTotal = (total) => typeof total == "number" && Number.isInteger(total) && Math.abs(total) <= MOST_TOTAL;
  if (!fields2.list("totals", MOST.totals).every(isTotal)) throw new Malformed("Proof.score.totals are not totals");
}
function readChain(fields2) {
  if (fields2.text("scheme") !== SCHEME) throw new Malformed(`only the scheme ${SCHEME} is known`);
  let chain = {
    beaconId: fields2.text("beacon_id"),
    chainHash: fields2.octets("chain_hash", 32),
    genesis: fields2.decimal("genesis"),
    groupHash: fields2.octets("group_hash", 32),
    period: fields2.whole("period"),
    publicKey: fields2.octets("public_key", 96)
  };
  if (chain.period < 1 || chain.period > U32_MAX) throw new Malformed("the period of the chain is out of range");
  if (!BEACON_ID.test(chain.beaconId)) throw new Malformed("the beacon id is malformed");
  if (!same(chainHashOf(chain), chain.chainHash)) throw new Malformed("the parameters of the chain do not give its hash");
  if (!isBeaconKey(chain.publicKey)) throw new Malformed("the public key of the chain is not a point of its group");
  return chain;
}
function readSigned(fields2, most) {
  return { keyId: fields2.text("key_id", 16), octets: fields2.octetsUpTo("octets", most), signature: fields2.octets("signature", 64) };
}
function readReceipt(fields2) {
  return readSigned(fields2, MOST.receipt);
}
function readKey(fields2) {
  return fields2.octets("octets", 32);
}
function readNamedKey(value) {
  let fields2 = new Fields(value, "Proof.public_keys", ["key_id", "octets"]), key = readKey(fields2);
  if (fields2.text("key_id") !== keyIdOf(key)) throw new Malformed("a public key bears the id of another");
  return key;
}

// src/bodies.ts
var SHOWN_TO_ALL = 255, OUT_OF_PLAY = 254, READERS = /* @__PURE__ */ new Map([
  [1, readOpened],
  [2, readSeeds],
  [3, readRoundChosen],
  [4, readBeacon],
  [5, readFallback],
  [6, readHand],
  [7, readRevealed]
]);
function readBody(kind, octets) {
  let read = READERS.get(kind);
  if (read === void 0) return { kind: "unknown" };
  let reader = new Reader(octets), body = read(reader);
  return reader.end(), body;
}
function readSeat(reader) {
  let participant = reader.take(16, "participant"), kind = reader.u8("seat kind"), level = reader.name("bot level"), policy = reader.name("bot policy");
  if (kind > 1) throw new Malformed("the kind of a seat is not known");
  let isBot = kind === 1;
  if (level !== "" !== isBot || policy !== "" !== isBot) throw new Malformed("level and policy go with bots alone");
  return { participant, isBot };
}
function readOpened(reader) {
  let recipe = reader.name("recipe", 1), commitment = reader.take(32, "commitment"), seats = reader.many("seats", () => readSeat(reader));
  if (seats.length < 2 || seats.length > 4) throw new Malformed("a match has 2 to 4 seats");
  if (new Set(seats.map(({ participant }) => hexOf(participant))).size < seats.length)
    throw new Malformed("two seats have the same participant");
  let sides = seats.map(() => reader.u8("side")), firstDealer = reader.u8("first dealer");
  if (firstDealer >= seats.length) throw new Malformed("the first dealer has no seat");
  let rulesetName = reader.name("ruleset name", 1), rulesetVersion = reader.u32("ruleset version"), rulesetHash = reader.take(32, "ruleset hash"), rulesetJson = reader.long("ruleset JSON"), packSize = reader.u8("pack size"), chainHash = reader.take(32, "chain hash"), chainName = reader.name("chain name", 1), seedDeadlineMs = reader.u64("seed deadline");
  return {
    kind: "opened",
    recipe,
    commitment,
    seats,
    sides,
    firstDealer,
    rulesetName,
    rulesetVersion,
    rulesetHash,
    rulesetJson,
    packSize,
    chainHash,
    chainName,
    seedDeadlineMs
  };
}
var SEED_STATES = ["given", "missed", "bot"];
function readSeeds(reader) {
  return { kind: "seeds", seats: reader.many("seeds", () => {
    let state = SEED_STATES[reader.u8("seed state")];
    if (state === void 0) throw new Malformed("the state of a seed is not known");
    return { state, seed: reader.short("seed", state === "given" ? 16 : 0) };
  }) };
}
function readRoundChosen(reader) {
  let round = reader.u64("round"), closeMs = reader.u64("close time");
  return { kind: "round chosen", round, closeMs, highestVerified: reader.u64("highest verified round") };
}
function readBeacon(reader) {
  let round = reader.u64("round"), signature = reader.short("beacon signature", 48);
  return { kind: "beacon", round, signature, value: reader.take(32, "value") };
}
function readFallback(reader) {
  let round = reader.u64("round");
  return reader.name("reason", 1), { kind: "fallback", round };
}
function readHand(reader) {
  let hand = reader.u32("hand"), stage = reader.u8("stage"), places = reader.many("positions", () => ({ position: reader.u8("position"), seat: reader.u8("seat") }));
  return { kind: "hand", hand, stage, places };
}
function readRevealed(reader) {
  let serverSeed = reader.take(32, "server seed"), playLogHash = reader.take(32, "play log hash"), ending = reader.name("ending", 1);
  return { kind: "revealed", serverSeed, playLogHash, ending };
}

// src/ruleset.ts
var UP_CARD = -1, OUT = -2;
function readRuleset(opened) {
  let ruleset = parsed(textOf(opened.rulesetJson)), said = {
    name: opened.rulesetName,
    version: opened.rulesetVersion,
    pack: opened.packSize,
    seats: opened.seats.length
  };
  for (let [name, value] of Object.entries(said))
    if (ruleset[name] !== value) throw new Malformed(`the bound JSON has another ${name} than the opening`);
  let rows = listOf(ruleset.deal_map);
  if (rows.length !== opened.seats.length) throw new Malformed("the deal map has not one row for each declarer");
  return {
    dealMap: rows.map((row) => readRow(listOf(row), opened)),
    handSize: numberOf(ruleset.hand_size),
    biddingRounds: numberOf(ruleset.bidding_rounds)
  };
}
function parsed(text) {
  let value;
  try {
    if (value = JSON.parse(text), canonicalText(value) !== text) throw new Malformed("the bound JSON is not canonical");
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof RangeError ? new Malformed("the bound JSON is no JSON") : error;
  }
  if (value === null || typeof value != "object" || Array.isArray(value)) throw new Malformed("the bound JSON is no object");
  return value;
}
function numberOf(value) {
  if (typeof value != "number") throw new Malformed("hand size or bidding rounds are malformed");
  return value;
}
function listOf(value) {
  if (!Array.isArray(value)) throw new Malformed("the deal map is malformed");
  return value;
}
function readRow(row, opened) {
  let places = row.map((place) => {
    let [position, seat, stage, ...more] = listOf(place);
    if (typeof position != "number" || typeof seat != "number" || typeof stage != "number" || more.length > 0)
      throw new Malformed("the deal map is malformed");
    if (seat < OUT || seat >= opened.seats.length) throw new Malformed("the deal map names a seat that is not there");
    return { position, seat, stage };
  }), positions = places.map(({ position }) => position).sort((one, other) => one - other);
  if (!(positions.length === opened.packSize && positions.every((position, at) => position === at))) throw new Malformed("the deal map does not deal every position once");
  return places;
}

// src/hands.ts
function brokenHands(story, ruleset, entries) {
  let dealt = [];
  for (let { body } of story.hands) {
    if (body.hand !== dealt.length && body.hand !== dealt.length - 1) return `Hand ${body.hand} is out of order.`;
    let before = body.hand === dealt.length ? dealt[body.hand - 1] : void 0;
    if (before !== void 0 && !(before.isOver && isDealtOut(before)))
      return `Hand ${body.hand} was dealt before the hand before it was over.`;
    let known = dealt[body.hand] ?? newHand(story, ruleset, entries, body.hand);
    if (known === null) return `Hand ${body.hand} was taken by a seat that is not there.`;
    let wrong = brokenRelease(body, known, story);
    if (wrong !== null) return `Hand ${body.hand}, stage ${body.stage}: ${wrong}.`;
    dealt[body.hand] = { ...known, stages: /* @__PURE__ */ new Set([...known.stages, body.stage]) };
  }
  return brokenDecisions(dealt, entries);
}
function newHand(story, ruleset, entries, hand) {
  let seats = story.opened.body.seats.length, own = entries.filter((entry) => entry.hand === hand), declarer = own.find(({ action }) => action === "accept" || action === "choose")?.seat ?? null;
  if (declarer !== null && declarer >= seats) return null;
  let fromDealer = declarer === null ? 0 : (declarer - dealerOf(story, hand) + seats) % seats, isOver = declarer === null ? ((wanted) => own.filter(({ action }) => action === wanted).length)("pass") === seats * ruleset.biddingRounds : isPlayedOut(own, seats, seats * ruleset.handSize);
  return { row: ruleset.dealMap[fromDealer] ?? [], declarer, isOver, stages: /* @__PURE__ */ new Set() };
}
function isPlayedOut(own, seats, cards) {
  let played = own.filter(({ action }) => action === "play").length;
  return own.at(-1)?.action !== "claim" ? played === cards : own.filter(({ action }) => action === "claim").length === 1 && played % seats === 0 && played < cards;
}
function dealerOf({ opened: { body } }, hand) {
  return (body.firstDealer + hand) % body.seats.length;
}
function brokenRelease(hand, { row, declarer, isOver, stages }, story) {
  if (hand.stage !== stages.size) return "stages do not follow one another";
  if (hand.stage > 0 && declarer === null) return "cards were released before anybody took the deal";
  let expected = row.filter(({ stage }) => stage === hand.stage);
  if (expected.some(({ seat }) => seat === OUT) && !isOver) return "cards out of play were shown too early";
  let dealer = dealerOf(story, hand.hand), seats = story.opened.body.seats.length;
  return expected.length > 0 && expected.length === hand.places.length && expected.every((place, at) => {
    let released = hand.places[at];
    return released?.position === place.position && released.seat === seatOf(place, dealer, seats);
  }) ? null : "the positions are not those of the deal map";
}
function seatOf({ seat }, dealer, seats) {
  return seat === UP_CARD ? SHOWN_TO_ALL : seat === OUT ? OUT_OF_PLAY : (dealer + seat) % seats;
}
function isDealtOut({ row, declarer, stages }) {
  return declarer === null || row.every(({ stage }) => stages.has(stage));
}
function isPlayable({ row, stages }) {
  return row.every(({ seat, stage }) => seat === OUT || stages.has(stage));
}
function brokenDecisions(dealt, entries) {
  for (let [at, { hand, action }] of entries.entries()) {
    let known = dealt[hand];
    if (known === void 0 || (action === "play" || action === "claim") && !isPlayable(known))
      return `Decision ${at} was taken on cards that the dealer had not released.`;
  }
  return null;
}

// src/playlog.ts
var LABEL = "belot.club/playlog/v1", PERSON = 0, BOT = 1, CLOCK = 2, ACTIONS = [
  { action: "pass", argument: 0 },
  { action: "accept", argument: 0 },
  { action: "choose", argument: 1 },
  { action: "play", argument: 1 },
  // A claim of the remaining tricks: certain by what its seat had seen, or agreed by the opponents.
  { action: "claim", argument: 0 },
  { action: "claim", argument: 0 }
];
function readPlayLog(octets) {
  let reader = new Reader(octets);
  reader.label(LABEL);
  let matchId = reader.matchId(), count = reader.u32("count"), entries = [];
  for (; entries.length < count; ) entries.push(readEntry(reader));
  return reader.end(), { matchId, entries };
}
function readEntry(reader) {
  let hand = reader.u32("hand"), seat = reader.u8("seat");
  readActor(reader);
  let { action, argument } = ACTIONS[reader.u8("action")] ?? { action: "unknown" };
  return reader.short("argument", argument), reader.u64("time"), { hand, seat, action };
}
function readActor(reader) {
  let kind = reader.u8("actor");
  if (kind > CLOCK) throw new Malformed("an actor is not known");
  reader.short("participant", kind === PERSON ? 16 : 0);
  let level = reader.name("bot level"), policy = reader.name("bot policy"), isBot = kind === BOT;
  if (level !== "" !== isBot || policy !== "" !== isBot) throw new Malformed("level and policy go with bots alone");
}

// src/play_points.ts
function attempted(name, make) {
  try {
    return make();
  } catch (error) {
    if (error instanceof Malformed) return { point: failed(name, `${sentence(error.message)}.`), value: null };
    throw error;
  }
}
function sentence(message) {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
function playLogPoint(story, octets) {
  return attempted("play log", () => {
    let value = readPlayLog(octets), { revealed, matchId } = story;
    return revealed === null ? { point: failed("play log", "The match was never closed by a reveal."), value } : value.matchId !== matchId ? { point: failed("play log", "The play log is of another match."), value } : same(sha256(octets), revealed.body.playLogHash) ? { point: proven("play log", `The reveal binds this play log; ending: ${revealed.body.ending}.`), value } : { point: failed("play log", "The play log is not the one that the reveal binds."), value };
  });
}
function packsPoint(story) {
  return attempted("packs", () => {
    let seed = committedSeed(story);
    if (seed === null) return { point: notChecked("packs", "There is no committed server seed."), value: null };
    if (story.answer === null) return { point: notChecked("packs", "The match ended before a card was dealt."), value: [] };
    let value = packsOf(story, seed);
    return { point: proven("packs", `${value.length} packs were made again from seeds and value.`), value };
  });
}
function rulesetPoint(story) {
  return attempted("ruleset", () => ({
    value: readRuleset(story.opened.body),
    point: notChecked("ruleset", "Not checked here: whether the bound JSON is the published ruleset of its name.")
  }));
}
function handsPoint(story, log, packs, ruleset) {
  if (log === null) return notChecked("hands", "There is no play log that can be read.");
  if (ruleset === null) return notChecked("hands", "There is no deal map to hold the releases against.");
  if (packs === null && story.hands.length > 0) return failed("hands", "There are no packs to deal from.");
  let wrong = brokenHands(story, ruleset, log.entries);
  if (wrong !== null) return failed("hands", wrong);
  let count = story.hands.length;
  return proven("hands", `${count} releases are those of the deal map; whether the plays before them were legal is not checked here.`);
}
function restPoints() {
  return ["plays", "score", "bots"].map((name) => notChecked(name, "Not checked here: it takes the rules of the game."));
}
function listedPoint() {
  return notChecked("listed", "Not checked here: the list of all commitments was not compared.");
}

// src/transcript.ts
var LABEL2 = "belot.club/transcript/v1";
function readEvent(octets) {
  let reader = new Reader(octets);
  reader.label(LABEL2);
  let matchId = reader.matchId(), sequence = reader.u64("sequence"), previousHash = reader.take(32, "hash of the event before"), kind = reader.u8("kind"), body = reader.long("body"), timeMs = reader.u64("time");
  return reader.end(), { matchId, sequence, previousHash, body: readBody(kind, body), timeMs, hash: sha256(octets) };
}
function brokenChain(events, matchId) {
  let previousHash = new Uint8Array(32), timeMs = 0n;
  for (let [at, event] of events.entries()) {
    if (event.matchId !== matchId) return `Event ${at} belongs to another match than the file.`;
    if (event.sequence !== BigInt(at)) return `Event ${at} does not carry its place in the sequence.`;
    if (!same(event.previousHash, previousHash)) return `Event ${at} does not name the hash of the one before it.`;
    if (event.timeMs < timeMs) return `Event ${at} stands before the one before it in time.`;
    previousHash = event.hash, timeMs = event.timeMs;
  }
  return null;
}
var AFTER = {
  nothing: ["opened"],
  opened: ["seeds", "revealed"],
  seeds: ["round chosen"],
  "round chosen": ["beacon", "fallback", "revealed"],
  beacon: ["hand", "revealed"],
  fallback: ["hand", "revealed"],
  hand: ["hand", "revealed"],
  revealed: [],
  unknown: []
};
function brokenOrder(events) {
  let last2 = "nothing";
  for (let [at, { body }] of events.entries())
    if (!(body.kind === "unknown" && at > 0)) {
      if (!AFTER[last2].includes(body.kind)) return `Event ${at} (${body.kind}) may not come after ${last2}.`;
      last2 = body.kind;
    }
  return last2 === "nothing" ? "There is no event." : null;
}

// src/receipts.ts
function readSeedReceipt(octets) {
  let reader = new Reader(octets);
  reader.label("belot.club/receipt/seed/v1");
  let matchId = reader.matchId(), seat = reader.u8("seat"), seed = reader.short("seed", 16), commitment = reader.take(32, "commitment"), timeMs = reader.u64("time");
  return reader.end(), { matchId, seat, seed, commitment, timeMs };
}
function readHandReceipt(octets) {
  let reader = new Reader(octets);
  reader.label("belot.club/receipt/hand/v1");
  let matchId = reader.matchId(), hand = reader.u32("hand"), stage = reader.u8("stage"), seat = reader.u8("seat"), cards = reader.many("cards", () => ({ position: reader.u8("position"), card: reader.u8("card") })), timeMs = reader.u64("time");
  return reader.end(), { matchId, hand, stage, seat, cards, timeMs };
}
function readBeaconReceipt(octets) {
  let reader = new Reader(octets);
  reader.label("belot.club/receipt/beacon/v1");
  let matchId = reader.matchId(), round = reader.u64("round"), signature = reader.short("beacon signature", 48), timeMs = reader.u64("time");
  return reader.end(), { matchId, round, signature, timeMs };
}

// src/witness.ts
function witnessPoints(witness) {
  let { evidence, story } = witness;
  return evidence.matchId !== story.matchId || evidence.seat >= story.opened.body.seats.length ? [failed("witness", "The evidence is of another match, or of a seat that is not there.")] : [keysPoint, commitmentPoint2, roundPoint2, seedPoint, beaconPoint2, handsPoint2].map((point) => {
    let made = point(witness);
    return { ...made, name: `witness ${made.name}` };
  });
}
function held(signed, publicKeys, read) {
  let ring = ringOf(publicKeys);
  if (!holds(signed, ring)) return null;
  try {
    return read(signed.octets);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
function keysPoint({ evidence, publicKeys }) {
  if (evidence.publicKeys.length === 0) return notChecked("keys", "The client kept no key of the dealer.");
  let known = ringOf(evidence.publicKeys);
  return publicKeys.every((key) => known.has(keyIdOf(key))) ? proven("keys", "The file is signed with keys that the client knew.") : failed("keys", "The file is signed with a key that the client did not know.");
}
function dueOf({ story, chain }) {
  let round = story.chosen?.body.round ?? 0n;
  return round === 0n ? null : timeOf(chain, round);
}
function commitmentPoint2(witness) {
  let { commitment } = witness.evidence;
  if (commitment === null) return notWitnessed("commitment", "The client kept no commitment.");
  if (!same(commitment.octets, witness.story.opened.body.commitment))
    return failed("commitment", "The client was told another commitment.");
  let due = dueOf(witness);
  return due === null || commitment.learntMs < due ? proven("commitment", "The client knew the commitment before the value could exist.") : notWitnessed("commitment", "The client learnt the commitment when the value could already exist.");
}
function roundPoint2(witness) {
  let { round } = witness.evidence, due = dueOf(witness);
  return round === null || due === null ? notWitnessed("round", "The client kept no round, or none was chosen.") : round.round !== witness.story.chosen?.body.round ? failed("round", "The client was told another round.") : round.learntMs < due ? proven("round", "The client knew the round before its value could exist.") : notWitnessed("round", "The client learnt the round when its value could already exist.");
}
function seedPoint({ evidence, story, publicKeys }) {
  let { seed, seedReceipt, seat, matchId } = evidence;
  if (seed.length === 0) return notChecked("seed", "The client sent no seed.");
  let receipt = seedReceipt === null ? null : held(seedReceipt, publicKeys, readSeedReceipt), isOwn = receipt !== null && receipt.matchId === matchId && receipt.seat === seat && same(receipt.seed, seed) && same(receipt.commitment, story.opened.body.commitment);
  if (seedReceipt !== null && !isOwn) return failed("seed", "The receipt does not hold, or is for something else.");
  if (story.seeds === null) return notChecked("seed", "The match ended before seeds were shown.");
  let used = story.seeds.body.seats[seat]?.seed ?? new Uint8Array();
  return same(used, seed) ? proven("seed", "The deal used the seed that the client sent.") : used.length > 0 ? failed("seed", "The deal used another seed than the client sent.") : receipt !== null && receipt.timeMs <= story.seeds.timeMs ? failed("seed", "The dealer signed for the seed in time, and dealt without it.") : notProtected("seed", "The deal did without the client's seed, and no receipt says that it came in time.");
}
function beaconPoint2({ evidence, story, chain, publicKeys }) {
  let { beacon, beaconReceipt } = evidence;
  if (beacon === null && beaconReceipt === null) return notChecked("beacon", "The client kept no beacon.");
  if (beacon !== null && !verifyBeacon(chain.publicKey, beacon.round, beacon.signature))
    return failed("beacon", "The beacon that the client kept does not hold.");
  let answer2 = story.answer?.body;
  if (answer2 === void 0) return notChecked("beacon", "The match ended before a beacon was needed.");
  if (answer2.kind === "beacon")
    return beacon === null || beacon.round === answer2.round && same(beacon.signature, answer2.signature) ? proven("beacon", "The client got the same beacon.") : failed("beacon", "The client got another beacon.");
  if (answer2.round === 0n) return failed("beacon", "The match fell back from a round that does not exist.");
  let limit = timeOf(chain, answer2.round) + PATIENCE, receipt = beaconReceipt === null ? null : held(beaconReceipt, publicKeys, readBeaconReceipt);
  if (receipt !== null && receipt.matchId === story.matchId && receipt.round === answer2.round) {
    if (!verifyBeacon(chain.publicKey, receipt.round, receipt.signature))
      return failed("beacon", "The dealer signed for a beacon that does not hold.");
    if (receipt.timeMs < limit) return failed("beacon", "The dealer had the valid beacon in time, and fell back.");
  }
  return beacon !== null && beacon.round === answer2.round && beacon.learntMs < limit ? notProtected("beacon", "The client had the beacon in time, but the dealer did not sign for it.") : proven("beacon", "Nothing that the client kept speaks against the fallback.");
}
function handsPoint2({ evidence, packs, story, publicKeys }) {
  if (evidence.handReceipts.length === 0) return notChecked("hands", "The client kept no receipts of cards.");
  let releases = story.hands.map(({ body }) => body);
  for (let [at, signed] of evidence.handReceipts.entries()) {
    let receipt = held(signed, publicKeys, readHandReceipt);
    if (receipt === null || receipt.matchId !== evidence.matchId || receipt.seat !== evidence.seat)
      return failed("hands", `Receipt ${at} does not hold, or is for something else.`);
    if (!agrees(receipt, releases, packs?.[receipt.hand]))
      return failed("hands", `Receipt ${at} shows other cards than packs and releases.`);
  }
  return proven("hands", `All ${evidence.handReceipts.length} receipts agree with packs and releases.`);
}
function agrees(receipt, releases, pack) {
  let places = releases.filter(({ hand, stage }) => hand === receipt.hand && stage === receipt.stage).flatMap(({ places: places2 }) => places2).filter(({ seat }) => seat === receipt.seat);
  return pack !== void 0 && places.length === receipt.cards.length && places.every(({ position }, at) => {
    let got = receipt.cards[at];
    return got?.position === position && got.card === pack[position];
  });
}

// src/verify.ts
var DEVELOPMENT_LABEL = "DEVELOPMENT CHAIN, proves nothing about chance";
function verify(file, options = {}) {
  let proof = tried(() => readProof(file));
  if (typeof proof == "string") return reportOf("unknown", "", [failed("format", proof)]);
  let evidence = options.evidence === void 0 ? null : tried(() => readEvidence(options.evidence ?? new Uint8Array()));
  if (typeof evidence == "string") return reportOf(proof.matchId, "", [failed("evidence", evidence)]);
  let { points, events } = transcriptPoints(proof), rest = events === null ? [notChecked("deal", "Nothing further was checked, because the transcript does not hold.")] : matchPoints(proof, events, evidence, options.acceptDevelopment ?? !1);
  return reportOf(proof.matchId, labelOf(proof.chain), [...points, ...rest]);
}
function labelOf(chain) {
  return chain.beaconId === DEVELOPMENT ? DEVELOPMENT_LABEL : "";
}
function tried(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return `${error.message}.`;
    throw error;
  }
}
function transcriptPoints(proof) {
  let events = [];
  for (let [at, { octets }] of proof.events.entries()) {
    let event = tried(() => readEvent(octets));
    if (typeof event == "string") return { points: [failed("format", `Event ${at}: ${event}`)], events: null };
    events.push(event);
  }
  let unknown = events.filter(({ body }) => body.kind === "unknown").length, points = [proven("format", `${events.length} events in canonical octets.`)], steps = [
    { name: "chain", wrong: brokenChain(events, proof.matchId), right: "Every event names the hash of the one before it." },
    { name: "order", wrong: brokenOrder(events), right: "The events come in the order of a match." },
    { name: "signatures", wrong: brokenSignatures(proof), right: "Every event is signed by the dealer." }
  ];
  for (let { name, wrong, right } of steps) {
    if (wrong !== null) return { points: [...points, failed(name, wrong)], events: null };
    points.push(name === "order" && unknown > 0 ? notChecked(name, laterKinds(unknown)) : proven(name, right));
  }
  return { points, events };
}
function laterKinds(count) {
  return `${count} events are of kinds that are not known here; the others come in the order of a match.`;
}
function keysPoint2({ events, publicKeys }) {
  let ids = publicKeys.map(keyIdOf), used = new Set(events.map(({ keyId }) => keyId));
  return new Set(ids).size !== ids.length || ids.some((id) => !used.has(id)) ? failed("keys", "The file holds keys that signed nothing in it.") : notChecked("keys", "The keys are those of the file; compare them with the dealer's published ones.");
}
function brokenSignatures({ events, publicKeys }) {
  let ring = ringOf(publicKeys), at = events.findIndex((signed) => !holds(signed, ring));
  return at < 0 ? null : `Event ${at} is not signed with a key of the file.`;
}
function matchPoints(proof, events, evidence, acceptDevelopment) {
  let { chain, publicKeys } = proof, story = storyOf(proof.matchId, events), log = playLogPoint(story, proof.playLog), packs = packsPoint(story), ruleset = rulesetPoint(story), witness = evidence === null ? [notChecked("witness", "No client's evidence was given.")] : witnessPoints({ story, chain, packs: packs.value, publicKeys, evidence });
  return [
    keysPoint2(proof),
    openedPoint(story),
    chainPoint(story, chain, acceptDevelopment),
    commitmentPoint(story),
    seedsPoint(story),
    roundPoint(story, chain),
    beaconPoint(story, chain),
    log.point,
    packs.point,
    ruleset.point,
    handsPoint(story, log.value, packs.value, ruleset.value),
    ...restPoints(),
    ...witness,
    listedPoint()
  ];
}

// src/node/lines.ts
import { readFileSync } from "node:fs";
var ANSWERS = {
  verify: ({ file, evidence, accept_dev }) => {
    let kept = evidence === void 0 ? {} : { evidence: Buffer.from(evidence, "base64") }, report = verify(Buffer.from(file, "base64"), { ...kept, acceptDevelopment: accept_dev ?? !1 });
    return { ok: report.ok, points: report.points };
  },
  pack: ({ server_seed, seeds, round, value, hand, size }) => {
    let serverSeed = octetsOf(server_seed), inputs = { serverSeed, seeds: seeds.map(octetsOf), round: BigInt(round), value: octetsOf(value) };
    return { pack: packOf(inputs, hand, size), commitment: hexOf(commitmentOf(serverSeed)) };
  },
  beacon: ({ public_key, round, signature }) => {
    let octets = octetsOf(signature);
    return { valid: verifyBeacon(octetsOf(public_key), BigInt(round), octets), value: hexOf(valueOf(octets)) };
  },
  round: (request) => {
    let parameters = {
      beaconId: request.beacon_id,
      genesis: BigInt(request.genesis),
      groupHash: octetsOf(request.group_hash),
      period: request.period,
      publicKey: octetsOf(request.public_key)
    }, chain = { ...parameters, chainHash: chainHashOf(parameters) }, round = roundAfter(chain, BigInt(request.close_ms), BigInt(request.highest)), quicknet = hexOf(chain.chainHash) === hexOf(QUICKNET_HASH);
    return { round: String(round), time_ms: String(timeOf(chain, round)), quicknet };
  }
};
function answer(line) {
  let request = JSON.parse(line);
  try {
    return ANSWERS[request.ask](request);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
function answerLines() {
  let lines = readFileSync(0, "utf8").split(`
`).filter((line) => line !== "");
  return process.stdout.write(lines.map((line) => `${JSON.stringify(answer(line))}
`).join("")), 0;
}

// src/node/main.ts
var USAGE = `Usage: verify.mjs FILE [--evidence FILE] [--accept-dev] [--json]

  Check a match's proof FILE offline. Plays, score and bots are not checked here.

  --evidence FILE  What one player's client kept of the match.
  --accept-dev     Take the chain of a development beacon, which proves no chance.
  --json           The report as JSON.

  Exit status 0: nothing failed; 1: something failed; 2: the file cannot be read.`;
function run() {
  let { values, positionals } = parseArgs({
    allowPositionals: !0,
    options: {
      evidence: { type: "string" },
      "accept-dev": { type: "boolean", default: !1 },
      json: { type: "boolean", default: !1 },
      help: { type: "boolean", short: "h", default: !1 },
      lines: { type: "boolean", default: !1 }
    }
  });
  if (values.help)
    return console.log(USAGE), 0;
  if (values.lines) return answerLines();
  let [file, ...more] = positionals;
  if (file === void 0 || more.length > 0) throw new Error("exactly one FILE is needed");
  let kept = values.evidence === void 0 ? {} : { evidence: readFileSync2(values.evidence) }, report = verify(readFileSync2(file), { ...kept, acceptDevelopment: values["accept-dev"] });
  return console.log(values.json ? jsonOf(report) : textOfReport(report)), report.ok ? 0 : 1;
}
try {
  process.exitCode = run();
} catch (error) {
  console.error(`verify: ${error instanceof Error ? error.message : String(error)}
${USAGE}`), process.exitCode = 2;
}
