/**
 * What each provider refuses, and in which form: {@link
 * dev.abacus.deploy.simulator.provider.Provider}, {@link
 * dev.abacus.deploy.simulator.provider.RequestRules}, {@link
 * dev.abacus.deploy.simulator.provider.StrictSchema}, and {@link
 * dev.abacus.deploy.simulator.provider.ErrorBody}. The rules follow the public documentation of the
 * providers and error messages that users have published.
 */
@NullMarked
package dev.abacus.deploy.simulator.provider;

import org.jspecify.annotations.NullMarked;
