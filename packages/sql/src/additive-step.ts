/**
 * Returns whether builds that do not know a step still work on its tables. The name says so: `0018_add_labels`. Such a step only adds:
 * tables, columns that may be empty or have a default, and indexes that are not unique. `migrationsContract` checks that.
 */
export const isAdditive = (step: string): boolean => /^\d{4}_add_[a-z]/.test(step);
