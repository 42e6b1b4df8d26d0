import { createInterface } from 'node:readline'
import type { Io } from '../io.ts'
import { clean } from '../text.ts'

/** Lines that a person types, or that are piped in. */
export interface Lines {
  /** The next line; null at the end of the input. */
  next(prompt: string): Promise<string | null>
  close(): void
}

/** `onInterrupt` is called at Ctrl-C. It returns whether to end the input. */
export function readLines(io: Io, onInterrupt: () => boolean): Lines {
  const { stdin, stdout } = io
  const isTerminal = Boolean(stdin.isTTY && stdout.isTTY)
  const input = createInterface({ input: stdin, ...(isTerminal && { output: stdout }), terminal: isTerminal })
  const lines = input[Symbol.asyncIterator]()
  const interrupted = () => {
    if (onInterrupt()) input.close()
    else if (isTerminal) input.write(null, { ctrl: true, name: 'u' })
  }
  input.on('SIGINT', interrupted)
  const stopListening = io.onInterrupt(interrupted)
  return {
    async next(prompt) {
      if (isTerminal) {
        input.setPrompt(clean(prompt))
        input.prompt()
      }
      const { value, done } = await lines.next()
      return done ? null : value
    },
    close() {
      stopListening()
      input.close()
      stdin.pause()
    },
  }
}
