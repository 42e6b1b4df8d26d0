/** The product logo and name. */
export const Logo = () => (
  <span className="logo">
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path
        d="M8 10.5A2.500 2.500 0 0 1 10.500 8h7A2.500 2.500 0 0 1 20 10.500v4a2.500 2.500 0 0 1-2.500 2.500H13l-3.600 2.900a.5.5 0 0 1-.8-.4V17A2.500 2.500 0 0 1 8 14.500z"
        fill="var(--on-accent)"
      />
      <path
        d="M22 13.500A2.500 2.500 0 0 1 24 16v4a2.500 2.500 0 0 1-.6 1.600V24a.5.5 0 0 1-.8.4L20 22.500h-4.500a2.500 2.500 0 0 1-2.300-1.500l1.500-1.500H18a4 4 0 0 0 4-4z"
        fill="var(--on-accent)"
        opacity=".6"
      />
    </svg>
    Parley
  </span>
)
