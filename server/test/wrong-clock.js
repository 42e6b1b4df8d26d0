// Loaded before a node starts: its clock is wrong from the start, and jumps whenever SIGUSR2 comes.
const RealDate = Date
const jumps = (process.env.CLOCK_JUMPS ?? '0').split(',').map(Number)
let at = 0

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + jumps[at])
    else super(...args)
  }

  static now() {
    return RealDate.now() + jumps[at]
  }
}
process.on('SIGUSR2', () => {
  at = (at + 1) % jumps.length
})
