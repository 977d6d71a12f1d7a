/** The client of models against simulated endpoints of real providers. */
@NullMarked
package dev.abacus.deploy.models;

import org.jspecify.annotations.NullMarked;
