import { Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useWaitUntil } from '../api/rate-limit.ts'

/** Says that requests wait for the rate limit, and for how long. */
export function RateLimitBanner() {
  const until = useWaitUntil()
  const [now, setNow] = useState(Date.now)
  const seconds = Math.ceil((until - now) / 1000)
  const isWaiting = until > now
  useEffect(() => {
    setNow(Date.now())
    if (until <= Date.now()) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (until <= Date.now()) clearInterval(timer)
    }, 500)
    return () => clearInterval(timer)
  }, [until])
  if (!isWaiting) return null
  return (
    <div className="seen-as" role="status">
      <Hourglass aria-hidden size={16} />
      <span className="grow">Too many requests. This page goes on in {seconds} s.</span>
    </div>
  )
}
