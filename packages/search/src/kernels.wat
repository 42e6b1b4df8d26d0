;; The inner loops of a search, sixteen bytes at a time.
;; kernels.wasm is this file assembled; a test assembles it again and compares.
(module
  (import "heap" "memory" (memory 1))

  ;; The Walsh-Hadamard transform of numbers of four bytes, in place. `size` is a power of two from 4 on.
  (func $spread (param $values i32) (param $size i32)
    (local $end i32) (local $half i32) (local $start i32) (local $at i32) (local $stop i32)
    (local $one v128) (local $other v128)
    (local.set $end (i32.add (local.get $values) (i32.shl (local.get $size) (i32.const 2))))
    (local.set $at (local.get $values))
    (loop $nextFour
      (local.set $one (v128.load (local.get $at)))
      (local.set $one (f32x4.add
        (i8x16.shuffle 0 1 2 3 0 1 2 3 8 9 10 11 8 9 10 11 (local.get $one) (local.get $one))
        (f32x4.mul (v128.const f32x4 1 -1 1 -1)
          (i8x16.shuffle 4 5 6 7 4 5 6 7 12 13 14 15 12 13 14 15 (local.get $one) (local.get $one)))))
      (local.set $one (f32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $one) (local.get $one))
        (f32x4.mul (v128.const f32x4 1 1 -1 -1)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $one) (local.get $one)))))
      (v128.store (local.get $at) (local.get $one))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $nextFour (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $half (i32.const 16))
    (block $done
      (loop $nextLevel
        (br_if $done (i32.ge_u (local.get $half) (i32.shl (local.get $size) (i32.const 2))))
        (local.set $start (local.get $values))
        (loop $nextPair
          (local.set $at (local.get $start))
          (local.set $stop (i32.add (local.get $start) (local.get $half)))
          (loop $nextPart
            (local.set $one (v128.load (local.get $at)))
            (local.set $other (v128.load (i32.add (local.get $at) (local.get $half))))
            (v128.store (local.get $at) (f32x4.add (local.get $one) (local.get $other)))
            (v128.store (i32.add (local.get $at) (local.get $half)) (f32x4.sub (local.get $one) (local.get $other)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br_if $nextPart (i32.lt_u (local.get $at) (local.get $stop))))
          (local.set $start (i32.add (local.get $stop) (local.get $half)))
          (br_if $nextPair (i32.lt_u (local.get $start) (local.get $end))))
        (local.set $half (i32.shl (local.get $half) (i32.const 1)))
        (br $nextLevel))))

  ;; Writes a bit for each dimension of a vector of signed bytes: whether it is above zero, after the first `spread` of
  ;; them were spread over each other where that is not zero. `values` is room for four bytes a dimension. The vector and
  ;; that room end at a multiple of 16 dimensions.
  (func (export "signs")
    (param $vector i32) (param $dimensions i32) (param $spread i32) (param $values i32) (param $code i32)
    (local $at i32) (local $end i32) (local $part v128)
    (local.set $at (local.get $values))
    (local.set $end (i32.add (local.get $values) (i32.shl (local.get $dimensions) (i32.const 2))))
    (loop $nextEight
      (local.set $part (v128.load8x8_s (local.get $vector)))
      (v128.store (local.get $at) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $part))))
      (v128.store offset=16 (local.get $at) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $part))))
      (local.set $vector (i32.add (local.get $vector) (i32.const 8)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $nextEight (i32.lt_u (local.get $at) (local.get $end))))
    (if (local.get $spread) (then (call $spread (local.get $values) (local.get $spread))))
    (local.set $at (local.get $values))
    (loop $nextByte
      (i32.store8 (local.get $code) (i32.or
        (i32x4.bitmask (f32x4.gt (v128.load (local.get $at)) (v128.const f32x4 0 0 0 0)))
        (i32.shl
          (i32x4.bitmask (f32x4.gt (v128.load offset=16 (local.get $at)) (v128.const f32x4 0 0 0 0)))
          (i32.const 4))))
      (local.set $code (i32.add (local.get $code) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $nextByte (i32.lt_u (local.get $at) (local.get $end)))))

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

  ;; The same for codes of 32 bytes, as the static model's are, eight of them at a time: in a quarter of the time.
  ;; `count` is a multiple of 8.
  (func (export "distances32") (param $codes i32) (param $count i32) (param $query i32) (param $out i32)
    (local $end i32) (local $first v128) (local $second v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $first (v128.load (local.get $query)))
    (local.set $second (v128.load offset=16 (local.get $query)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 1))))
    (loop $nextEight
      (local.set $a (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=16 (local.get $codes)) (local.get $second)))))
      (local.set $b (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=32 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=48 (local.get $codes)) (local.get $second)))))
      (local.set $c (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=64 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=80 (local.get $codes)) (local.get $second)))))
      (local.set $d (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=96 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=112 (local.get $codes)) (local.get $second)))))
      (local.set $e (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=128 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=144 (local.get $codes)) (local.get $second)))))
      (local.set $f (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=160 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=176 (local.get $codes)) (local.get $second)))))
      (local.set $g (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=192 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=208 (local.get $codes)) (local.get $second)))))
      (local.set $h (i8x16.add
        (i8x16.popcnt (v128.xor (v128.load offset=224 (local.get $codes)) (local.get $first)))
        (i8x16.popcnt (v128.xor (v128.load offset=240 (local.get $codes)) (local.get $second)))))
      ;; Neighbours are added and two codes put beside each other, until two bytes of each are left.
      (local.set $a (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $a) (local.get $b))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $a) (local.get $b))))
      (local.set $c (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $c) (local.get $d))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $c) (local.get $d))))
      (local.set $e (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $e) (local.get $f))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $e) (local.get $f))))
      (local.set $g (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $g) (local.get $h))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $g) (local.get $h))))
      (local.set $a (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $a) (local.get $c))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $a) (local.get $c))))
      (local.set $e (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $e) (local.get $g))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $e) (local.get $g))))
      (local.set $a (i8x16.add
        (i8x16.shuffle 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 (local.get $a) (local.get $e))
        (i8x16.shuffle 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 (local.get $a) (local.get $e))))
      (v128.store (local.get $out) (i16x8.extadd_pairwise_i8x16_u (local.get $a)))
      (local.set $codes (i32.add (local.get $codes) (i32.const 256)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $nextEight (i32.lt_u (local.get $out) (local.get $end)))))

  ;; Writes the places (four bytes each) of the distances that are not above the limit and have their bits set in the
  ;; mask, the first `most` of them, and gives their number. `count` is a multiple of 32.
  (func (export "within")
    (param $distances i32) (param $count i32) (param $limit i32) (param $mask i32) (param $out i32) (param $most i32)
    (result i32)
    (local $place i32) (local $end i32) (local $wordEnd i32) (local $bits i32) (local $found i32) (local $limits v128)
    (local.set $limits (i16x8.splat (local.get $limit)))
    (local.set $end (i32.add (local.get $distances) (i32.shl (local.get $count) (i32.const 1))))
    (loop $nextWord
      (local.set $wordEnd (i32.add (local.get $distances) (i32.const 64)))
      (if (v128.any_true (i16x8.le_u
          (i16x8.min_u
            (i16x8.min_u (v128.load (local.get $distances)) (v128.load offset=16 (local.get $distances)))
            (i16x8.min_u (v128.load offset=32 (local.get $distances)) (v128.load offset=48 (local.get $distances))))
          (local.get $limits)))
        (then
          (loop $nextEight
            (local.set $bits (i32.and (i32.load8_u (local.get $mask))
              (i16x8.bitmask (i16x8.le_u (v128.load (local.get $distances)) (local.get $limits)))))
            (block $none
              (br_if $none (i32.eqz (local.get $bits)))
              (loop $nextBit
                (if (i32.eq (local.get $found) (local.get $most)) (then (return (local.get $found))))
                (i32.store (local.get $out) (i32.add (local.get $place) (i32.ctz (local.get $bits))))
                (local.set $out (i32.add (local.get $out) (i32.const 4)))
                (local.set $found (i32.add (local.get $found) (i32.const 1)))
                (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                (br_if $nextBit (local.get $bits))))
            (local.set $distances (i32.add (local.get $distances) (i32.const 16)))
            (local.set $mask (i32.add (local.get $mask) (i32.const 1)))
            (local.set $place (i32.add (local.get $place) (i32.const 8)))
            (br_if $nextEight (i32.lt_u (local.get $distances) (local.get $wordEnd)))))
        (else
          (local.set $distances (local.get $wordEnd))
          (local.set $mask (i32.add (local.get $mask) (i32.const 4)))
          (local.set $place (i32.add (local.get $place) (i32.const 32)))))
      (br_if $nextWord (i32.lt_u (local.get $distances) (local.get $end))))
    (local.get $found))

  ;; The dot product of two vectors of signed bytes. `bytes` is a multiple of 16.
  (func $dot (export "dot") (param $one i32) (param $other i32) (param $bytes i32) (result i32)
    (local $sum v128) (local $end i32) (local $x v128) (local $y v128)
    (local.set $end (i32.add (local.get $one) (local.get $bytes)))
    (loop $nextPart
      (local.set $x (v128.load (local.get $one)))
      (local.set $y (v128.load (local.get $other)))
      (local.set $sum (i32x4.add
        (i32x4.add (local.get $sum)
          (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $x) (local.get $y))))
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $x) (local.get $y)))))
      (local.set $one (i32.add (local.get $one) (i32.const 16)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $nextPart (i32.lt_u (local.get $one) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; Where the vector of a passage lies: in blocks of 256, whose addresses are in a table.
  (func $vector (param $passage i32) (param $blocks i32) (param $bytes i32) (result i32)
    (i32.add
      (i32.load (i32.add (local.get $blocks) (i32.shl (i32.shr_u (local.get $passage) (i32.const 8)) (i32.const 2))))
      (i32.mul (i32.and (local.get $passage) (i32.const 255)) (local.get $bytes))))

  ;; Writes the cosine (four bytes each) of the query with the vector of each of `count` passages: the dot product times
  ;; the query's scale and the passage's. The vectors lie here and there: touching eight of them before they are needed
  ;; brings them from memory all at once, and not one after the other. What was touched is added up, so that it counts as
  ;; used, and given back.
  (func (export "cosines")
    (param $query i32) (param $scale f32) (param $blocks i32) (param $scales i32) (param $bytes i32)
    (param $passages i32) (param $count i32) (param $out i32) (result i32)
    (local $end i32) (local $groupEnd i32) (local $next i32) (local $at i32) (local $vectorEnd i32) (local $touched i32)
    (local.set $end (i32.add (local.get $passages) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $nextGroup
        (br_if $done (i32.ge_u (local.get $passages) (local.get $end)))
        (local.set $groupEnd (i32.add (local.get $passages) (i32.const 32)))
        (if (i32.gt_u (local.get $groupEnd) (local.get $end)) (then (local.set $groupEnd (local.get $end))))
        (local.set $next (local.get $passages))
        (loop $nextTouched
          (local.set $at (call $vector (i32.load (local.get $next)) (local.get $blocks) (local.get $bytes)))
          (local.set $vectorEnd (i32.add (local.get $at) (local.get $bytes)))
          (local.set $touched (i32.add (local.get $touched)
            (i32.load (i32.add (local.get $scales) (i32.shl (i32.load (local.get $next)) (i32.const 2))))))
          (loop $nextLine
            (local.set $touched (i32.add (local.get $touched) (i32.load8_u (local.get $at))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br_if $nextLine (i32.lt_u (local.get $at) (local.get $vectorEnd))))
          (local.set $next (i32.add (local.get $next) (i32.const 4)))
          (br_if $nextTouched (i32.lt_u (local.get $next) (local.get $groupEnd))))
        (loop $nextVector
          (f32.store (local.get $out) (f32.mul
            (f32.mul (local.get $scale)
              (f32.load (i32.add (local.get $scales) (i32.shl (i32.load (local.get $passages)) (i32.const 2)))))
            (f32.convert_i32_s (call $dot
              (local.get $query)
              (call $vector (i32.load (local.get $passages)) (local.get $blocks) (local.get $bytes))
              (local.get $bytes)))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $passages (i32.add (local.get $passages) (i32.const 4)))
          (br_if $nextVector (i32.lt_u (local.get $passages) (local.get $groupEnd))))
        (br $nextGroup)))
    (local.get $touched))

  ;; Adds to the scores (four bytes each, by passage) what one term is worth to the passages of `count` postings, which have
  ;; the passage in their upper 24 bits and how often it has the term in their lower 8. No passage comes twice.
  (func (export "score")
    (param $postings i32) (param $count i32) (param $weight f32) (param $base f32) (param $slope f32)
    (param $lengths i32) (param $scores i32)
    (local $end i32) (local $fourEnd i32) (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $places v128) (local $times v128) (local $worth v128)
    (local $weights v128) (local $bases v128) (local $slopes v128) (local $one f32)
    (local.set $end (i32.add (local.get $postings) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $fourEnd (i32.sub (local.get $end) (i32.const 15)))
    (local.set $weights (f32x4.splat (local.get $weight)))
    (local.set $bases (f32x4.splat (local.get $base)))
    (local.set $slopes (f32x4.splat (local.get $slope)))
    (block $rest
      (loop $nextFour
        (br_if $rest (i32.ge_u (local.get $postings) (local.get $fourEnd)))
        (local.set $times (v128.load (local.get $postings)))
        (local.set $places (i32x4.shl (i32x4.shr_u (local.get $times) (i32.const 8)) (i32.const 2)))
        (local.set $times (f32x4.convert_i32x4_u
          (v128.and (local.get $times) (v128.const i32x4 255 255 255 255))))
        (local.set $a (i32x4.extract_lane 0 (local.get $places)))
        (local.set $b (i32x4.extract_lane 1 (local.get $places)))
        (local.set $c (i32x4.extract_lane 2 (local.get $places)))
        (local.set $d (i32x4.extract_lane 3 (local.get $places)))
        (local.set $worth (v128.load32_zero (i32.add (local.get $lengths) (local.get $a))))
        (local.set $worth (v128.load32_lane 1 (i32.add (local.get $lengths) (local.get $b)) (local.get $worth)))
        (local.set $worth (v128.load32_lane 2 (i32.add (local.get $lengths) (local.get $c)) (local.get $worth)))
        (local.set $worth (v128.load32_lane 3 (i32.add (local.get $lengths) (local.get $d)) (local.get $worth)))
        (local.set $worth (f32x4.div
          (f32x4.mul (local.get $weights) (local.get $times))
          (f32x4.add (f32x4.add (local.get $times) (local.get $bases))
            (f32x4.mul (local.get $slopes) (f32x4.convert_i32x4_u (local.get $worth))))))
        (local.set $a (i32.add (local.get $scores) (local.get $a)))
        (local.set $b (i32.add (local.get $scores) (local.get $b)))
        (local.set $c (i32.add (local.get $scores) (local.get $c)))
        (local.set $d (i32.add (local.get $scores) (local.get $d)))
        (f32.store (local.get $a) (f32.add (f32.load (local.get $a)) (f32x4.extract_lane 0 (local.get $worth))))
        (f32.store (local.get $b) (f32.add (f32.load (local.get $b)) (f32x4.extract_lane 1 (local.get $worth))))
        (f32.store (local.get $c) (f32.add (f32.load (local.get $c)) (f32x4.extract_lane 2 (local.get $worth))))
        (f32.store (local.get $d) (f32.add (f32.load (local.get $d)) (f32x4.extract_lane 3 (local.get $worth))))
        (local.set $postings (i32.add (local.get $postings) (i32.const 16)))
        (br $nextFour)))
    (block $done
      (loop $nextOne
        (br_if $done (i32.ge_u (local.get $postings) (local.get $end)))
        (local.set $b (i32.load (local.get $postings)))
        (local.set $a (i32.shl (i32.shr_u (local.get $b) (i32.const 8)) (i32.const 2)))
        (local.set $one (f32.convert_i32_u (i32.and (local.get $b) (i32.const 255))))
        (local.set $one (f32.div
          (f32.mul (local.get $weight) (local.get $one))
          (f32.add (f32.add (local.get $one) (local.get $base))
            (f32.mul (local.get $slope)
              (f32.convert_i32_u (i32.load (i32.add (local.get $lengths) (local.get $a))))))))
        (local.set $a (i32.add (local.get $scores) (local.get $a)))
        (f32.store (local.get $a) (f32.add (f32.load (local.get $a)) (local.get $one)))
        (local.set $postings (i32.add (local.get $postings) (i32.const 4)))
        (br $nextOne))))

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
      (br_if $nextWord (i32.lt_u (local.get $out) (local.get $end)))))

  ;; A bit for each of the sixteen ASCII characters at an address that is a letter or a digit.
  (func $wordBits (param $at i32) (result i32)
    (local $characters v128)
    (local.set $characters (v128.load (local.get $at)))
    (i8x16.bitmask (v128.or
      (i8x16.lt_u (i8x16.sub (local.get $characters) (i8x16.splat (i32.const 48))) (i8x16.splat (i32.const 10)))
      (i8x16.lt_u
        (i8x16.sub (v128.or (local.get $characters) (i8x16.splat (i32.const 32))) (i8x16.splat (i32.const 97)))
        (i8x16.splat (i32.const 26))))))

  ;; Writes where the words of an ASCII text begin and end (four bytes each) whose first three letters are marked, and
  ;; gives the number of words. `letters` has the number of each character below 27, `marks` a byte for each three of
  ;; them. At least 18 characters after the end belong to no word.
  (func (export "words")
    (param $text i32) (param $length i32) (param $letters i32) (param $marks i32) (param $out i32) (result i32)
    (local $at i32) (local $end i32) (local $bits i32) (local $starts i32) (local $before i32)
    (local $word i32) (local $ending i32) (local $found i32)
    (local.set $at (local.get $text))
    (local.set $end (i32.add (local.get $text) (local.get $length)))
    (block $done
      (loop $nextSixteen
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $bits (call $wordBits (local.get $at)))
        (local.set $starts (i32.and (local.get $bits)
          (i32.xor (i32.or (i32.shl (local.get $bits) (i32.const 1)) (local.get $before)) (i32.const -1))))
        (local.set $before (i32.shr_u (local.get $bits) (i32.const 15)))
        (block $none
          (loop $nextWord
            (br_if $none (i32.eqz (local.get $starts)))
            (local.set $word (i32.add (local.get $at) (i32.ctz (local.get $starts))))
            (local.set $starts (i32.and (local.get $starts) (i32.sub (local.get $starts) (i32.const 1))))
            (br_if $nextWord (i32.eqz (i32.load8_u (i32.add (local.get $marks) (i32.add
              (i32.mul (i32.const 27) (i32.add
                (i32.mul (i32.const 27)
                  (i32.load8_u (i32.add (local.get $letters) (i32.load8_u (local.get $word)))))
                (i32.load8_u (i32.add (local.get $letters) (i32.load8_u offset=1 (local.get $word))))))
              (i32.load8_u (i32.add (local.get $letters) (i32.load8_u offset=2 (local.get $word)))))))))
            (local.set $ending (local.get $word))
            (loop $goOn
              (local.set $bits (i32.ctz (i32.xor (call $wordBits (local.get $ending)) (i32.const -1))))
              (local.set $ending (i32.add (local.get $ending) (local.get $bits)))
              (br_if $goOn (i32.eq (local.get $bits) (i32.const 16))))
            (i32.store (local.get $out) (i32.sub (local.get $word) (local.get $text)))
            (i32.store offset=4 (local.get $out) (i32.sub (local.get $ending) (local.get $text)))
            (local.set $out (i32.add (local.get $out) (i32.const 8)))
            (local.set $found (i32.add (local.get $found) (i32.const 1)))
            (br $nextWord)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextSixteen)))
    (local.get $found)))
