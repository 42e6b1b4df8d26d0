;; hamming.wasm is this file assembled; a test assembles it again and compares.
(module
  (import "codes" "memory" (memory 1))

  ;; Writes how many bits each of `count` codes differs from the query in, two bytes each.
  ;; A code has `bytes` bytes, a multiple of 16.
  (func (export "distances")
    (param $codes i32) (param $bytes i32) (param $count i32) (param $query i32) (param $out i32)
    (local $at i32) (local $end i32) (local $sum v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $nextCode
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $at (i32.const 0))
      (loop $nextPart
        ;; Saturating: a lane of 4,096 dimensions that all differ would overflow.
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
      (br_if $nextCode (i32.lt_u (local.get $out) (local.get $end))))))
