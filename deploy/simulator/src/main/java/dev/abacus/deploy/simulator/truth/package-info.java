/**
 * Ground truth. Read {@link dev.abacus.deploy.simulator.truth.KnownDocument} and {@link
 * dev.abacus.deploy.simulator.truth.GroundTruth}, then {@link
 * dev.abacus.deploy.simulator.truth.KnownDocuments}, and {@link
 * dev.abacus.deploy.simulator.truth.DocumentIndex}, which identifies the documents of a prompt.
 */
@NullMarked
package dev.abacus.deploy.simulator.truth;

import org.jspecify.annotations.NullMarked;
