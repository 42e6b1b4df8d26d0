;; The inner loops of a search, sixteen bytes at a time.
;; kernels.wasm is this file assembled; a test assembles it again and compares.
(module
  (import "heap" "memory" (memory 1))

  ;; Writes, for each of `count` codes of `bytes` bytes, how many bits differ from the query (two bytes each).
  ;; `bytes` is a multiple of 16.
  (func (export "distances")
    (param $codes i32) (param $bytes i32) (param $count i32) (param $query i32) (param $out i32)
    (local $at i32) (local $end i32) (local $sum v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $nextCode
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $at (i32.const 0))
      (loop $nextPart
        ;; Saturating: a lane of 4,096 dimensions that differ in every bit would not fit.
        (local.set $sum (i8x16.add_sat_u (local.get $sum) (i8x16.popcnt (v128.xor
          (v128.load (i32.add (local.get $codes) (local.get $at)))
          (v128.load (i32.add (local.get $query) (local.get $at)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $nextPart (i32.lt_u (local.get $at) (local.get $bytes))))
      (local.set $sum (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sum))))
      (i32.store16 (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $codes (i32.add (local.get $codes) (local.get $bytes)))
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $nextCode (i32.lt_u (local.get $out) (local.get $end)))))

  ;; The same for codes of 32 bytes, as the static model's are, in half the time.
  (func (export "distances32") (param $codes i32) (param $count i32) (param $query i32) (param $out i32)
    (local $end i32) (local $sum v128) (local $first v128) (local $second v128)
    (local.set $first (v128.load (local.get $query)))
    (local.set $second (v128.load offset=16 (local.get $query)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $nextCode
      (local.set $sum (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $codes)) (local.get $second)))))
      ;; A multiplication adds up eight bytes; their sum is at most 128 and fits into the highest.
      (i32.store16 (local.get $out) (i32.wrap_i64 (i64.add
        (i64.shr_u
          (i64.mul (i64x2.extract_lane 0 (local.get $sum)) (i64.const 0x0101010101010101)) (i64.const 56))
        (i64.shr_u
          (i64.mul (i64x2.extract_lane 1 (local.get $sum)) (i64.const 0x0101010101010101)) (i64.const 56)))))
      (local.set $codes (i32.add (local.get $codes) (i32.const 32)))
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (br_if $nextCode (i32.lt_u (local.get $out) (local.get $end)))))

  ;; Writes the places (four bytes each) of the distances that are not above the limit, the first `most` of them,
  ;; and gives their number. `count` is a multiple of 8.
  (func (export "within")
    (param $distances i32) (param $count i32) (param $limit i32) (param $out i32) (param $most i32) (result i32)
    (local $at i32) (local $bits i32) (local $found i32) (local $limits v128)
    (local.set $limits (i16x8.splat (local.get $limit)))
    (loop $nextEight
      (local.set $bits (i16x8.bitmask (i16x8.le_u (v128.load (local.get $distances)) (local.get $limits))))
      (block $none
        (br_if $none (i32.eqz (local.get $bits)))
        (loop $nextBit
          (if (i32.eq (local.get $found) (local.get $most)) (then (return (local.get $found))))
          (i32.store (local.get $out) (i32.add (local.get $at) (i32.ctz (local.get $bits))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $found (i32.add (local.get $found) (i32.const 1)))
          (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
          (br_if $nextBit (local.get $bits))))
      (local.set $distances (i32.add (local.get $distances) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br_if $nextEight (i32.lt_u (local.get $at) (local.get $count))))
    (local.get $found))

  ;; The dot product of two vectors of signed bytes. `bytes` is a multiple of 16.
  (func (export "dot") (param $one i32) (param $other i32) (param $bytes i32) (result i32)
    (local $sum v128) (local $end i32) (local $x v128) (local $y v128)
    (local.set $end (i32.add (local.get $one) (local.get $bytes)))
    (loop $nextPart
      (local.set $x (v128.load (local.get $one)))
      (local.set $y (v128.load (local.get $other)))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $x) (local.get $y)))
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $x) (local.get $y))))))
      (local.set $one (i32.add (local.get $one) (i32.const 16)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $nextPart (i32.lt_u (local.get $one) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; Writes the largest of every 32 scores. `count` is a multiple of 32.
  (func (export "maxima") (param $scores i32) (param $count i32) (param $out i32)
    (local $end i32) (local $most v128)
    (local.set $end (i32.add (local.get $out) (i32.shr_u (local.get $count) (i32.const 3))))
    (loop $nextWord
      (local.set $most (f32x4.pmax
        (f32x4.pmax
          (f32x4.pmax (v128.load (local.get $scores)) (v128.load offset=16 (local.get $scores)))
          (f32x4.pmax (v128.load offset=32 (local.get $scores)) (v128.load offset=48 (local.get $scores))))
        (f32x4.pmax
          (f32x4.pmax (v128.load offset=64 (local.get $scores)) (v128.load offset=80 (local.get $scores)))
          (f32x4.pmax (v128.load offset=96 (local.get $scores)) (v128.load offset=112 (local.get $scores))))))
      (f32.store (local.get $out) (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
      (local.set $scores (i32.add (local.get $scores) (i32.const 128)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $nextWord (i32.lt_u (local.get $out) (local.get $end))))))
