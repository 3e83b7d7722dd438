/**
 * Lambda Cloud as a provider. One call tells every instance type with its price and the regions
 * that have it now ({@link io.spillway.capacity.lambda.LambdaProbe}); launches are refused with
 * codes like paths ({@link io.spillway.capacity.lambda.LambdaFailures}). There is no spot capacity
 * and no notice: a machine that is gone is seen by the agent of its cluster.
 */
package io.spillway.capacity.lambda;
