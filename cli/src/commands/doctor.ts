import { join } from 'node:path'
import { command } from '../command.ts'
import { checkout } from '../connection.ts'
import type { Check } from '../doctor/check.ts'
import { jsonOption } from '../options.ts'
import type { Printer } from '../printer.ts'
import { cleanLine } from '../text.ts'
import { version } from '../version.ts'
import { inspectMachine } from './server.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'Find out what is wrong, and what to do about it',
  details: `Checks this machine as a service with the environment of this shell would use it (settings, data folder, database, secret
key, Redis, egress), then the service itself (address, clock, token, models). It changes nothing. The test of a model is the
smallest possible request, which its provider may bill. The exit code is 1 if something fails; warnings do not count.`,
  connects: true,
  options: {
    data: { type: 'string', value: 'folder', description: 'The data folder; or DATA_DIR; default: data' },
    'service-only': { type: 'boolean', description: 'Do not look at this machine, for a service elsewhere' },
    'skip-models': { type: 'boolean', description: 'Do not send requests to models' },
    json: jsonOption,
  },
  examples: [
    'parley doctor',
    'parley doctor --data /var/lib/parley --json',
    'parley doctor --service-only --url https://parley.example.com',
  ],
  async run(session, _args, { data, 'service-only': isRemote, 'skip-models': skipsModels }) {
    const { io, out, isJson, path } = session
    const environment = {
      DATA_DIR: join(checkout, 'data'),
      ...io.environment,
      ...(data !== undefined && { DATA_DIR: path(data) }),
    }
    const service = async (): Promise<Check[]> => {
      const { inspectService } = await import('../doctor/service.ts')
      const client = await session.client()
      return inspectService({ client, connection: session.connection(), version: version(), testsModels: !skipsModels })
    }
    const checks = [...(isRemote ? [] : await inspectMachine(environment)), ...(await service())]
    const counts = { ok: 0, warn: 0, fail: 0 }
    for (const { status } of checks) counts[status]++
    if (isJson) out.json({ ok: counts.fail === 0, checks })
    else {
      printChecks(out, checks)
      out.line(`\n${counts.ok} ok, ${counts.warn} warnings, ${counts.fail} failed`)
    }
    return counts.fail > 0 ? 1 : 0
  },
})

const marks = { ok: ['green', '✓'], warn: ['yellow', '!'], fail: ['red', '✗'] } as const

function printChecks(out: Printer, checks: Check[]): void {
  for (const { name, status, message, hint } of checks) {
    const [style, mark] = marks[status]
    out.line(`${out.paint(style, mark)} ${out.paint('bold', cleanLine(name))}: ${cleanLine(message)}`)
    if (hint) out.line(`    ${cleanLine(hint)}`)
  }
}
