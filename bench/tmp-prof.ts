import { chatTarget, load } from './chat.ts'
import { startParley, startProvider } from './processes.ts'

const provider = await startProvider()
const p = await chatTarget(await startParley({ NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof' }), provider.url)
const c = Number(process.env.C ?? 64)
for (const s of [false, true, false]) {
  const y = await load(p, c, s)
  console.log(s, y.rate.toFixed(0), y.cpu.toFixed(2))
}
await p.stop()
await provider.stop()
