import type { Command } from '../command.ts'
import { agents } from './agents.ts'
import { apply } from './apply.ts'
import { ask } from './ask.ts'
import { chat } from './chat.ts'
import { clients } from './clients.ts'
import { completion } from './completion.ts'
import { connections } from './connections.ts'
import { diff } from './diff.ts'
import { doctor } from './doctor.ts'
import { evaluations } from './eval.ts'
import { experiments } from './experiment.ts'
import { exportWorkspace } from './export.ts'
import { imports } from './import.ts'
import { init } from './init.ts'
import { labels } from './label.ts'
import { login } from './login.ts'
import { memories } from './memories.ts'
import { models } from './models.ts'
import { monitors } from './monitor.ts'
import { profiles } from './profile.ts'
import { reviews } from './review.ts'
import { dataCommands, serviceCommands } from './server.ts'
import { sources } from './sources.ts'
import { sync } from './sync.ts'
import { tokens } from './token.ts'
import { tools } from './tools.ts'

/** All commands, in the order of the help. */
export const commands: Command[] = [
  ...serviceCommands,
  chat,
  ask,
  ...agents,
  ...models,
  ...sources,
  ...tools,
  ...connections,
  ...clients,
  sync,
  ...evaluations,
  ...labels,
  ...experiments,
  ...monitors,
  ...reviews,
  ...tokens,
  ...memories,
  init,
  exportWorkspace,
  diff,
  apply,
  ...imports,
  doctor,
  ...dataCommands,
  login,
  ...profiles,
  completion,
]
