import { withoutIds } from '../ui/errors.ts'

/** The warnings that the API shows with a resource. */
export const Warnings = ({ warnings }: { warnings: readonly { message: string }[] }) =>
  warnings.map(({ message }) => (
    <p key={message} className="notice warn">
      {withoutIds(message)}
    </p>
  ))
