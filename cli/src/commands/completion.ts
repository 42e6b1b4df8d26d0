import { command } from '../command.ts'
import { UsageError } from '../failures.ts'

export const completion = command({
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  args: '<bash|zsh|fish>',
  details: `Load it where the shell starts, for a "parley" that is in PATH:

  ~/.bashrc                   source <(parley completion bash)
  ~/.zshrc, after compinit    source <(parley completion zsh)
  ~/.config/fish/config.fish  parley completion fish | source`,
  examples: ['source <(parley completion bash)', 'parley completion fish > ~/.config/fish/completions/parley.fish'],
  async run({ io }, [shell = ''], _values, program) {
    const [{ scripts }, { listWords }] = await Promise.all([
      import('../completion/scripts.ts'),
      import('../completion/words.ts'),
    ])
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw new UsageError(`There is no completion for "${shell}", only for bash, zsh and fish.`)
    io.stdout.write(script(listWords(program)))
    return 0
  },
})
