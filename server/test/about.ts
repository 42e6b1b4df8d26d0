/** Matches a percentile of a histogram: at most 5 % from the exact value, and half a millisecond for rounding. */
export const about = (exact: number | null | undefined): unknown =>
  typeof exact !== 'number'
    ? null
    : {
        asymmetricMatch: (found: unknown) => Math.abs(Number(found) - exact) <= 0.052 * (exact + 1) + 0.5,
        toString: () => `about ${exact}`,
      }
