/** Makes something for each combination of labels once, such as the metrics that are bound to them. */
export function byLabels<Labels extends string[], T>(create: (...labels: Labels) => T): (...labels: Labels) => T {
  const made = new Map<string, T>()
  return (...labels) => {
    const key = labels.join('\0')
    let one = made.get(key)
    if (one === undefined) {
      one = create(...labels)
      made.set(key, one)
    }
    return one
  }
}
