import { Session } from 'node:inspector'

interface Steps {
  /** The steps of some work: the blocks of code that run, and the characters that texts are searched for. */
  count(work: () => unknown): number
  stop(): void
}

/** Counts steps of code that is loaded later. Unlike times, they do not depend on the machine. */
export function countSteps(): Steps {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const takeBlocks = (): number => {
    let blocks = 0
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      for (const { functions } of result)
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count
    })
    return blocks
  }
  return {
    count(work) {
      takeBlocks()
      const searched = countSearched(work)
      return takeBlocks() + searched
    },
    stop() {
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

/** The characters that regular expressions and `indexOf` go through, which are no steps of the code. */
function countSearched(work: () => unknown): number {
  const { exec } = RegExp.prototype
  const { indexOf } = String.prototype
  let searched = 0
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    if (found) searched += found.index + found[0].length - from
    else if (!this.sticky && !this.source.startsWith('^')) searched += text.length - from
    return found
  }
  String.prototype.indexOf = function (part, from = 0) {
    const at = indexOf.call(this, part, from)
    searched += (at === -1 ? this.length : at) - from
    return at
  }
  try {
    work()
  } finally {
    RegExp.prototype.exec = exec
    String.prototype.indexOf = indexOf
  }
  return searched
}
