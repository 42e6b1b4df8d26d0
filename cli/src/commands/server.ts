import type { Command } from '../command.ts'
import type { Check } from '../doctor/check.ts'
import type { Environment } from '../io.ts'
import { backup, restore } from './backup.ts'
import { migrate } from './migrate.ts'
import { serve } from './serve.ts'

/** All that needs the server, which only a checkout has. The build of the package replaces this file by without-server.ts. */
export const serviceCommands: Command[] = [serve]
export const dataCommands: Command[] = [migrate, backup, restore]

/** The checks of this machine. */
export async function inspectMachine(environment: Environment): Promise<Check[]> {
  const machine = await import('../../../server/src/doctor/machine.ts')
  return machine.inspectMachine(environment)
}
