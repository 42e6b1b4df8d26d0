import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { parley } from '../../api/parley.ts'
import { fieldErrors } from '../../ui/errors.ts'
import { zonedTime } from '../../ui/time-text.ts'

const typingPause = 250

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingPause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The next times of an expression, or the error of a field. */
export function usePreview(expression: string | null, zone: string) {
  const cron = useSettled(expression ?? '')
  const timezone = useSettled(zone)
  const isShown = expression !== null && cron !== '' && timezone !== ''
  const { data, error } = useQuery({
    queryKey: ['schedule-preview', cron, timezone],
    queryFn: async ({ signal }) => ({ ...(await parley.schedules.preview({ cron, timezone }, { signal })), timezone }),
    enabled: isShown,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  })
  return { data: isShown && !error ? data : undefined, errorAt: fieldErrors(isShown ? error : null) }
}

type Times = NonNullable<ReturnType<typeof usePreview>['data']>

/** An expression in words, and its next times in the zone of the schedule. */
export const NextTimes = ({ description, next, timezone }: Times) => (
  <div className="next-times" role="status">
    <p>{description}</p>
    <ol aria-label="Next runs" className="muted small">
      {next.map((time) => (
        <li key={time}>
          <time dateTime={time}>{zonedTime(time, timezone)}</time>
        </li>
      ))}
    </ol>
  </div>
)
