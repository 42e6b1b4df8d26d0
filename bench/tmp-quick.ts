import { load, parleyTarget } from './chat.ts'
import { startMinimal, startProvider } from './processes.ts'

const provider = await startProvider(process.env.PACED ? { DELAY: '10', FIRST_DELAY: '100' } : {})
let made = 0
const b = { ...(await startMinimal(provider.url)), name: 'b', newConversation: async () => `c${made++}` }
const p = await parleyTarget(provider.url)
const cs = process.env.PACED ? [16] : [1, 64]
if (!process.env.PACED) for (const c of [16]) for (const s of [false, true]) for (const t of [b, p]) await load(t, c, s)
for (const c of cs)
  for (const s of [false, true]) {
    const [x, y] = [await load(b, c, s), await load(p, c, s)]
    console.log(
      c,
      s ? 'streamed' : 'whole',
      'rate',
      x.rate.toFixed(0),
      y.rate.toFixed(0),
      (y.rate / x.rate).toFixed(2),
      'cpu',
      x.cpu.toFixed(2),
      y.cpu.toFixed(2),
      (x.cpu / y.cpu).toFixed(2),
      'first',
      x.firstByte.toFixed(1),
      y.firstByte.toFixed(1),
      'p50',
      x.p50.toFixed(1),
      y.p50.toFixed(1),
    )
  }
await b.stop()
await p.stop()
await provider.stop()
