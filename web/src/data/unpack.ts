// Packed arrays to numbers: base64, zlib, byte planes, differences, steps. Each array is unpacked when it
// is first asked for, and kept.
import { unzlibSync } from "fflate";
import type { Numbers, NumberType, Packed } from "./format";

/** Numbers with axes; the last axis runs fastest. NaN is a number that is not known. */
export interface NumberArray {
  shape: readonly number[];
  values: Float64Array;
}

const bytesPerNumber: Record<NumberType, number> = {
  float64: 8,
  float32: 4,
  int32: 4,
  int16: 2,
  uint8: 1,
};

const kept = new WeakMap<Packed, NumberArray>();

export function unpack(packed: Packed): NumberArray {
  let array = kept.get(packed);
  if (!array) {
    array = { shape: packed.shape, values: decode(packed) };
    kept.set(packed, array);
  }
  return array;
}

/** The numbers of an array that is packed, or short and plain. */
export function numbers(array: Numbers): Float64Array {
  return Array.isArray(array) ? Float64Array.from(array, (x) => x ?? NaN) : unpack(array).values;
}

function decode(packed: Packed): Float64Array {
  const n = packed.shape.reduce((product, length) => product * length, 1);
  const width = bytesPerNumber[packed.type];
  const bytes = unzlibSync(fromBase64(packed.data), { out: new Uint8Array(n * width) });
  if (bytes.length !== n * width) {
    throw new Error(`an array of ${n} numbers has ${bytes.length} bytes, expected ${n * width}`);
  }
  const raw = asNumbers(joinPlanes(bytes, n, width), packed.type);
  if (packed.delta && n > 0) addUp(raw, packed.shape[packed.shape.length - 1] ?? 1);
  return toValues(raw, packed);
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** From all lowest bytes, all second bytes, ... to the bytes of each number beside each other. */
function joinPlanes(planes: Uint8Array, n: number, width: number): ArrayBuffer {
  const bytes = new Uint8Array(n * width);
  for (let plane = 0; plane < width; ++plane) {
    for (let i = 0, from = plane * n, to = plane; i < n; ++i, ++from, to += width) {
      bytes[to] = planes[from]!;
    }
  }
  return bytes.buffer;
}

type TypedArray = Float64Array | Float32Array | Int32Array | Int16Array | Uint8Array;

function asNumbers(bytes: ArrayBuffer, type: NumberType): TypedArray {
  switch (type) {
    case "float64":
      return new Float64Array(bytes);
    case "float32":
      return new Float32Array(bytes);
    case "int32":
      return new Int32Array(bytes);
    case "int16":
      return new Int16Array(bytes);
    case "uint8":
      return new Uint8Array(bytes);
  }
}

/** Undoes differences along the last axis. A typed array wraps around as the writer's numbers did. */
function addUp(raw: TypedArray, length: number): void {
  for (let start = 0; start < raw.length; start += length) {
    for (let i = start + 1; i < start + length; ++i) raw[i] = raw[i]! + raw[i - 1]!;
  }
}

function toValues(raw: TypedArray, { shape, scale, zero, missing }: Packed): Float64Array {
  const values = new Float64Array(raw.length);
  const perFirst = raw.length / (shape[0] ?? 1);
  for (let i = 0; i < raw.length; ++i) {
    const number = raw[i]!;
    if (missing !== null && number === missing) {
      values[i] = NaN;
    } else if (scale && zero) {
      const first = Math.floor(i / perFirst);
      values[i] = zero[first]! + scale[first]! * number;
    } else {
      values[i] = number;
    }
  }
  return values;
}
