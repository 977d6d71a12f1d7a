/**
 * The governor on the running stack: {@link dev.abacus.deploy.governor.GovernorIT}, with {@link
 * dev.abacus.deploy.governor.ObedientModels} in place of a provider and a {@link
 * dev.abacus.deploy.governor.Stack} of a real broker, worker and optimizer.
 */
@NullMarked
package dev.abacus.deploy.governor;

import org.jspecify.annotations.NullMarked;
